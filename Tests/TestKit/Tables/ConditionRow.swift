/// A conditional request for a file of 1000 bytes and its expected result, used with the pure rule and over a socket. A
/// number such as `C01` identifies a case in all suites.
package struct ConditionRow: CustomStringConvertible, Sendable {
    package enum Expected: Sendable { case whole, firstTen, notModified, preconditionFailed, unsatisfiable }

    package let id: String
    /// Header lines with placeholders of ``Validators``.
    package let headers: [String]
    package let expected: Expected
    package private(set) var method = "GET"

    package var description: String { id }

    private init(_ id: String, _ headers: [String], _ expected: Expected) {
        self.id = id
        self.headers = headers
        self.expected = expected
    }

    private func head() -> ConditionRow {
        var row = self
        row.method = "HEAD"
        return row
    }
}

extension ConditionRow {
    package static let all: [ConditionRow] = [matching, dates, writingDates, ifRange, combined].flatMap(\.self)

    private static let matching: [ConditionRow] = [
        ConditionRow("C01 match", ["If-None-Match: {E}"], .notModified),
        ConditionRow("C02 weak", ["If-None-Match: W/{E}"], .notModified),
        ConditionRow("C03 any", ["If-None-Match: *"], .notModified),
        ConditionRow("C04 other", ["If-None-Match: \"X\""], .whole),
        ConditionRow("C05 list", ["If-None-Match: \"a,b\", W/\"c\",{E}"], .notModified),
        ConditionRow("C05b comma is data", ["If-None-Match: \"X,{bare}\""], .whole),
        ConditionRow("C06 two lines", ["If-None-Match: \"X\"", "If-None-Match: {E}"], .notModified),
        ConditionRow("C07 unquoted", ["If-None-Match: {bare}"], .whole),
        ConditionRow("C08 malformed, match", ["If-None-Match: abc, {E}"], .notModified),
        ConditionRow("C08b malformed weak, match", ["If-None-Match: W/abc, W/{E}"], .notModified),
        ConditionRow("C08c lower-case w", ["If-None-Match: w/{E}"], .whole),
        ConditionRow("C09 empty", ["If-None-Match:"], .whole),
        ConditionRow("C23 If-Match", ["If-Match: {E}"], .whole),
        ConditionRow("C24 weak", ["If-Match: W/{E}"], .preconditionFailed),
        ConditionRow("C25 any", ["If-Match: *"], .whole),
        ConditionRow("C26 other", ["If-Match: \"X\""], .preconditionFailed),
        ConditionRow("C27 list", ["If-Match: \"X\", {E}"], .whole),
        ConditionRow("C27b two lines", ["If-Match: \"X\"", "If-Match: {E}"], .whole),
        ConditionRow("C56 HEAD", ["If-None-Match: {E}"], .notModified).head(),
        ConditionRow("C57 HEAD", ["If-Match: \"X\""], .preconditionFailed).head(),
        ConditionRow("C57b HEAD", ["If-Match: {E}"], .whole).head(),
    ]

    private static let dates: [ConditionRow] = [
        ConditionRow("C10 equal", ["If-Modified-Since: {equal}"], .notModified),
        ConditionRow("C11 older", ["If-Modified-Since: {older}"], .whole),
        ConditionRow("C12 newer", ["If-Modified-Since: {newer}"], .notModified),
        ConditionRow("C13 future", ["If-Modified-Since: Fri, 01 Jan 2094 00:00:00 GMT"], .notModified),
        ConditionRow("C14 rfc850", ["If-Modified-Since: {rfc850}"], .notModified),
        ConditionRow("C15 asctime", ["If-Modified-Since: {asctime}"], .notModified),
        ConditionRow("C16 garbage", ["If-Modified-Since: garbage"], .whole),
        ConditionRow("C17 wrong weekday", ["If-Modified-Since: {weekday}"], .notModified),
        ConditionRow("C18 zone", ["If-Modified-Since: {zone}"], .whole),
        ConditionRow("C19 number", ["If-Modified-Since: {number}"], .whole),
        ConditionRow("C20 length", ["If-Modified-Since: {equal}; length=1000"], .whole),
        ConditionRow("C20b length", ["If-Modified-Since: {equal};length=1000"], .whole),
        ConditionRow("C58 HEAD", ["If-Modified-Since: {equal}"], .notModified).head(),
        ConditionRow("C58b HEAD", ["If-Modified-Since: {older}"], .whole).head(),
    ]

    private static let writingDates: [ConditionRow] = [
        ConditionRow("C28 equal", ["If-Unmodified-Since: {equal}"], .whole),
        ConditionRow("C29 older", ["If-Unmodified-Since: {older}"], .preconditionFailed),
        ConditionRow("C30 newer", ["If-Unmodified-Since: {newer}"], .whole),
        ConditionRow("C31 garbage", ["If-Unmodified-Since: garbage"], .whole),
    ]

    private static let ifRange: [ConditionRow] = [
        ranged("C36 match", "{E}", .firstTen), ranged("C37 weak", "W/{E}", .whole),
        ranged("C38 other", "\"X\"", .whole), ranged("C39 equal", "{equal}", .firstTen),
        ranged("C40 newer", "{newer}", .whole), ranged("C41 older", "{older}", .whole),
        ranged("C42 any", "*", .whole), ranged("C42b empty", "", .whole), ranged("C43 list", "{E}, \"X\"", .whole),
        ranged("C43b twice", "{E}, {E}", .whole),
        ConditionRow("C44 no Range", ["If-Range: {E}"], .whole), ranged("C45 rfc850", "{rfc850}", .firstTen),
        ranged("C46 other", "\"X\"", .whole, range: "bytes=1000-"),
        ranged("C47 match", "{E}", .unsatisfiable, range: "bytes=1000-"),
        ranged("C48 match", "{E}", .whole, range: "bytes=5-2"),
        ranged("C36b HEAD", "{E}", .whole).head(),
    ]

    private static func ranged(
        _ id: String, _ validator: String, _ expected: Expected, range: String = "bytes=0-9"
    ) -> ConditionRow {
        ConditionRow(id, ["Range: " + range, "If-Range: " + validator], expected)
    }

    private static let combined: [ConditionRow] = [
        ConditionRow("C21", ["If-None-Match: \"X\"", "If-Modified-Since: {equal}"], .whole),
        ConditionRow("C22", ["If-None-Match: {E}", "If-Modified-Since: {older}"], .notModified),
        ConditionRow("C32", ["If-Match: {E}", "If-Unmodified-Since: {older}"], .whole),
        ConditionRow("C33", ["If-Match: \"X\"", "If-None-Match: {E}"], .preconditionFailed),
        ConditionRow("C34", ["If-Match: {E}", "If-None-Match: {E}"], .notModified),
        ConditionRow("C35", ["If-Unmodified-Since: {older}", "If-None-Match: {E}"], .preconditionFailed),
        ConditionRow("C49", ["If-None-Match: {E}", "Range: bytes=0-9"], .notModified),
        ConditionRow("C50", ["If-None-Match: {E}", "Range: bytes=1000-"], .notModified),
        ConditionRow("C51", ["If-Match: \"X\"", "Range: bytes=0-9"], .preconditionFailed),
        ConditionRow("C52", ["If-Match: \"X\"", "Range: bytes=1000-"], .preconditionFailed),
        ConditionRow("C53", ["If-None-Match: \"X\"", "Range: bytes=1000-"], .unsatisfiable),
        ConditionRow("C54", ["If-Match: {E}", "Range: bytes=0-9"], .firstTen),
        ConditionRow("C55", ["If-Unmodified-Since: {older}", "Range: bytes=0-9"], .preconditionFailed),
    ]
}
