import FeedTestSupport
import Foundation
import Testing

/// A file's validators, and dates around its last change in every form.
struct Validators: Sendable {
    let tag: String
    private let modified: Date

    init(_ answer: RawHTTP.Answer) throws {
        tag = try #require(answer.headers["etag"])
        let text = try #require(answer.headers["last-modified"])
        modified = try #require(Self.format("EEE, dd MMM yyyy HH:mm:ss 'GMT'").date(from: text), "\(text)")
    }

    /// Seconds since 1970.
    var second: Int { Int(modified.timeIntervalSince1970) }

    /// Puts them into `{E}`, `{equal}`, `{older}` and so on.
    func fill(_ line: String) -> String {
        var line = line
        for (name, value) in values { line = line.replacing("{\(name)}", with: value) }
        return line
    }

    private var values: [(String, String)] {
        let equal = Self.date(modified)
        return [
            ("E", tag), ("bare", tag.trimmingCharacters(in: ["\""])), ("equal", equal),
            ("older", Self.date(modified - 1)), ("newer", Self.date(modified + 1)),
            ("rfc850", Self.format("EEEE, dd-MMM-yy HH:mm:ss 'GMT'").string(from: modified)), ("asctime", asctime),
            ("weekday", (equal.hasPrefix("Mon") ? "Tue" : "Mon") + equal.dropFirst(3)),
            ("zone", equal.replacing("GMT", with: "+0000")), ("number", String(second)),
        ]
    }

    private var asctime: String {
        let day = Self.format("d").string(from: modified)
        return Self.format("EEE MMM").string(from: modified) + (day.count == 1 ? "  " : " ") + day
            + Self.format(" HH:mm:ss yyyy").string(from: modified)
    }

    private static func date(_ date: Date) -> String { format("EEE, dd MMM yyyy HH:mm:ss 'GMT'").string(from: date) }

    private static func format(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = pattern
        return formatter
    }
}

/// A conditional request and what it comes to. Numbers are those of the table in the research on reliability.
struct ConditionHTTPRow: CustomTestStringConvertible, Sendable {
    enum Expected: Sendable { case whole, firstTen, notModified, preconditionFailed, unsatisfiable, notFound }

    let id: String
    let headers: [String]
    let expected: Expected
    var method = "GET"
    var name = "sample.bin"

    var testDescription: String { id }

    init(_ id: String, _ headers: [String], _ expected: Expected) {
        self.id = id
        self.headers = headers
        self.expected = expected
    }

    func head() -> ConditionHTTPRow {
        var row = self
        row.method = "HEAD"
        return row
    }

    /// About a file that is not there.
    func absent() -> ConditionHTTPRow {
        var row = self
        row.name = "nothing.bin"
        return row
    }
}

extension ConditionHTTPRow {
    static let all: [ConditionHTTPRow] = [matching, dates, writingDates, ifRange, combined].flatMap(\.self)

    static let matching: [ConditionHTTPRow] = [
        ConditionHTTPRow("C01 match", ["If-None-Match: {E}"], .notModified),
        ConditionHTTPRow("C02 weak", ["If-None-Match: W/{E}"], .notModified),
        ConditionHTTPRow("C03 any", ["If-None-Match: *"], .notModified),
        ConditionHTTPRow("C04 other", ["If-None-Match: \"X\""], .whole),
        ConditionHTTPRow("C05 list", ["If-None-Match: \"a,b\", W/\"c\",{E}"], .notModified),
        ConditionHTTPRow("C05b comma is data", ["If-None-Match: \"X,{bare}\""], .whole),
        ConditionHTTPRow("C06 two lines", ["If-None-Match: \"X\"", "If-None-Match: {E}"], .notModified),
        ConditionHTTPRow("C07 unquoted", ["If-None-Match: {bare}"], .whole),
        ConditionHTTPRow("C08 malformed, match", ["If-None-Match: abc, {E}"], .notModified),
        ConditionHTTPRow("C08b malformed weak, match", ["If-None-Match: W/abc, W/{E}"], .notModified),
        ConditionHTTPRow("C08c lower-case w", ["If-None-Match: w/{E}"], .whole),
        ConditionHTTPRow("C09 empty", ["If-None-Match:"], .whole),
        ConditionHTTPRow("C23 If-Match", ["If-Match: {E}"], .whole),
        ConditionHTTPRow("C24 weak", ["If-Match: W/{E}"], .preconditionFailed),
        ConditionHTTPRow("C25 any", ["If-Match: *"], .whole),
        ConditionHTTPRow("C26 other", ["If-Match: \"X\""], .preconditionFailed),
        ConditionHTTPRow("C27 list", ["If-Match: \"X\", {E}"], .whole),
        ConditionHTTPRow("C27b two lines", ["If-Match: \"X\"", "If-Match: {E}"], .whole),
        ConditionHTTPRow("C56 HEAD", ["If-None-Match: {E}"], .notModified).head(),
        ConditionHTTPRow("C57 HEAD", ["If-Match: \"X\""], .preconditionFailed).head(),
        ConditionHTTPRow("C57b HEAD", ["If-Match: {E}"], .whole).head(),
        ConditionHTTPRow("C59 absent", ["If-Match: \"X\""], .notFound).absent(),
        ConditionHTTPRow("C59b absent", ["If-None-Match: *"], .notFound).absent(),
        ConditionHTTPRow("C59c absent", ["If-Match: *"], .notFound).absent().head(),
    ]

    static let dates: [ConditionHTTPRow] = [
        ConditionHTTPRow("C10 equal", ["If-Modified-Since: {equal}"], .notModified),
        ConditionHTTPRow("C11 older", ["If-Modified-Since: {older}"], .whole),
        ConditionHTTPRow("C12 newer", ["If-Modified-Since: {newer}"], .notModified),
        ConditionHTTPRow("C13 future", ["If-Modified-Since: Fri, 01 Jan 2094 00:00:00 GMT"], .notModified),
        ConditionHTTPRow("C14 rfc850", ["If-Modified-Since: {rfc850}"], .notModified),
        ConditionHTTPRow("C15 asctime", ["If-Modified-Since: {asctime}"], .notModified),
        ConditionHTTPRow("C16 garbage", ["If-Modified-Since: garbage"], .whole),
        ConditionHTTPRow("C17 wrong weekday", ["If-Modified-Since: {weekday}"], .notModified),
        ConditionHTTPRow("C18 zone", ["If-Modified-Since: {zone}"], .whole),
        ConditionHTTPRow("C19 number", ["If-Modified-Since: {number}"], .whole),
        ConditionHTTPRow("C20 length", ["If-Modified-Since: {equal}; length=1000"], .whole),
        ConditionHTTPRow("C20b length", ["If-Modified-Since: {equal};length=1000"], .whole),
        ConditionHTTPRow("C58 HEAD", ["If-Modified-Since: {equal}"], .notModified).head(),
        ConditionHTTPRow("C58b HEAD", ["If-Modified-Since: {older}"], .whole).head(),
    ]

    static let writingDates: [ConditionHTTPRow] = [
        ConditionHTTPRow("C28 equal", ["If-Unmodified-Since: {equal}"], .whole),
        ConditionHTTPRow("C29 older", ["If-Unmodified-Since: {older}"], .preconditionFailed),
        ConditionHTTPRow("C30 newer", ["If-Unmodified-Since: {newer}"], .whole),
        ConditionHTTPRow("C31 garbage", ["If-Unmodified-Since: garbage"], .whole),
    ]

    static let ifRange: [ConditionHTTPRow] = [
        ranged("C36 match", "{E}", .firstTen), ranged("C37 weak", "W/{E}", .whole),
        ranged("C38 other", "\"X\"", .whole), ranged("C39 equal", "{equal}", .firstTen),
        ranged("C40 newer", "{newer}", .whole), ranged("C41 older", "{older}", .whole),
        ranged("C42 any", "*", .whole), ranged("C42b empty", "", .whole), ranged("C43 list", "{E}, \"X\"", .whole),
        ranged("C43b twice", "{E}, {E}", .whole),
        ConditionHTTPRow("C44 no Range", ["If-Range: {E}"], .whole), ranged("C45 rfc850", "{rfc850}", .firstTen),
        ranged("C46 other", "\"X\"", .whole, range: "bytes=1000-"),
        ranged("C47 match", "{E}", .unsatisfiable, range: "bytes=1000-"),
        ranged("C48 match", "{E}", .whole, range: "bytes=5-2"),
        ranged("C36b HEAD", "{E}", .whole).head(),
    ]

    static func ranged(
        _ id: String, _ validator: String, _ expected: Expected, range: String = "bytes=0-9"
    ) -> ConditionHTTPRow {
        ConditionHTTPRow(id, ["Range: " + range, "If-Range: " + validator], expected)
    }

    static let combined: [ConditionHTTPRow] = [
        ConditionHTTPRow("C21", ["If-None-Match: \"X\"", "If-Modified-Since: {equal}"], .whole),
        ConditionHTTPRow("C22", ["If-None-Match: {E}", "If-Modified-Since: {older}"], .notModified),
        ConditionHTTPRow("C32", ["If-Match: {E}", "If-Unmodified-Since: {older}"], .whole),
        ConditionHTTPRow("C33", ["If-Match: \"X\"", "If-None-Match: {E}"], .preconditionFailed),
        ConditionHTTPRow("C34", ["If-Match: {E}", "If-None-Match: {E}"], .notModified),
        ConditionHTTPRow("C35", ["If-Unmodified-Since: {older}", "If-None-Match: {E}"], .preconditionFailed),
        ConditionHTTPRow("C49", ["If-None-Match: {E}", "Range: bytes=0-9"], .notModified),
        ConditionHTTPRow("C50", ["If-None-Match: {E}", "Range: bytes=1000-"], .notModified),
        ConditionHTTPRow("C51", ["If-Match: \"X\"", "Range: bytes=0-9"], .preconditionFailed),
        ConditionHTTPRow("C52", ["If-Match: \"X\"", "Range: bytes=1000-"], .preconditionFailed),
        ConditionHTTPRow("C53", ["If-None-Match: \"X\"", "Range: bytes=1000-"], .unsatisfiable),
        ConditionHTTPRow("C54", ["If-Match: {E}", "Range: bytes=0-9"], .firstTen),
        ConditionHTTPRow("C55", ["If-Unmodified-Since: {older}", "Range: bytes=0-9"], .preconditionFailed),
    ]
}

extension ConditionHTTPRow {
    static let content = SampleBytes.make(1000, seed: 3)

    /// A date says nothing about a file that is younger than a second or two, so this waits (RFC 9110 §8.8.2.2).
    @Sendable static func prepare(_ server: FileServer) async throws {
        try await server.store("sample.bin", content)
        try await Task.sleep(for: .milliseconds(2100))
    }
}

@Suite(.timeLimit(.minutes(15)), .serialized, .fileServer(prepare: ConditionHTTPRow.prepare))
struct ConditionTableTests {
    @Test(arguments: ConditionHTTPRow.all)
    func table(row: ConditionHTTPRow) async throws {
        let server = try FileServer.here()
        let plain = try await server.head("sample.bin")
        let validators = try Validators(plain)
        let answer = try await RawHTTP.send(
            port: server.port, row.method, FileServer.path(row.name),
            headers: row.headers.map { validators.fill($0) })
        if row.method == "HEAD" { #expect(answer.body.isEmpty) }
        switch row.expected {
        case .whole:
            #expect(answer.status == 200 && answer.headers["content-length"] == "1000")
            #expect(answer.body == (row.method == "HEAD" ? Data() : ConditionHTTPRow.content))
            #expect(answer.headers["content-range"] == nil)
        case .firstTen:
            #expect(answer.status == 206 && answer.headers["content-range"] == "bytes 0-9/1000")
            #expect(answer.body == ConditionHTTPRow.content.prefix(10))
        case .notModified:
            #expect(answer.status == 304 && answer.body.isEmpty)
            #expect(answer.headers["content-length"] == nil && answer.headers["content-range"] == nil)
            // What a 200 would have had (RFC 9110 §15.4.5).
            for name in ["etag", "cache-control", "vary"] { #expect(answer.headers[name] == plain.headers[name]) }
        case .preconditionFailed:
            #expect(answer.status == 412 && answer.headers["content-range"] == nil)
            #expect(answer.body != ConditionHTTPRow.content && answer.body.count <= 500)
        case .unsatisfiable:
            #expect(answer.status == 416 && answer.headers["content-range"] == "bytes */1000")
            #expect(answer.body.count <= 500)
        case .notFound: #expect(answer.status == 404)
        }
    }

    /// A file may change twice within a second, so its date is no strong validator before that second is over.
    @Test func aFreshDateIsWeak() async throws {
        let server = try FileServer.here()
        for round in 0..<5 {
            try await server.store("fresh.bin", Data("round \(round)".utf8))
            let validators = try Validators(try await server.head("fresh.bin"))
            let answer = try await server.get("fresh.bin", ["Range: bytes=0-0", validators.fill("If-Range: {equal}")])
            // Nothing to see where the second has turned meanwhile.
            if Int(Date().timeIntervalSince1970) == validators.second { #expect(answer.status == 200) }
        }
    }

    /// The tag is strong: other bytes have another one, the same bytes have it again.
    @Test func tagsStandForBytes() async throws {
        let server = try FileServer.here()
        var tags: [String] = []
        for content in ["one", "two", "one"] {
            let put = try await server.put("tagged.txt", Data(content.utf8))
            let tag = try #require(put.headers["etag"])
            #expect(try await server.head("tagged.txt").headers["etag"] == tag)
            tags.append(tag)
        }
        #expect(tags[0] == tags[2] && tags[0] != tags[1])
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
    }

    /// Errors say what is wrong, also this one (CONTRACT, errors).
    @Test func aFailedPreconditionIsExplained() async throws {
        let answer = try await FileServer.here().get("sample.bin", ["If-Match: \"X\""])
        #expect(answer.status == 412 && answer.text.hasPrefix("{\"error\":\""))
    }

    /// One code path for every face.
    @Test(arguments: ["GET", "HEAD"])
    func theClassicDialectHasConditionsToo(method: String) async throws {
        let server = try FileServer.here()
        let validators = try Validators(try await server.head("sample.bin"))
        let target = "/FileDownload.aspx?file=sample.bin"
        for (line, status) in [
            ("If-None-Match: {E}", 304), ("If-Match: \"X\"", 412), ("If-Modified-Since: {equal}", 304),
            ("If-Match: {E}", 200),
        ] {
            let answer = try await RawHTTP.send(
                port: server.port, method, target, headers: [validators.fill(line)])
            #expect(answer.status == status, "\(line)")
        }
    }
}
