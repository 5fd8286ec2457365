package import Foundation

/// The validators of a file, and dates around its last modification in every format.
package struct Validators: Sendable {
    package let tag: String
    private let modified: Date

    /// - Parameter tag: Including its quotes.
    package init(tag: String, modified: Date) {
        self.tag = tag
        self.modified = modified
    }

    /// - Parameter modified: In the format of Last-Modified.
    package init?(tag: String, modified: String) {
        guard let date = Self.format(Self.httpDate).date(from: modified) else { return nil }
        self.init(tag: tag, modified: date)
    }

    /// Seconds since 1970.
    package var second: Int { Int(modified.timeIntervalSince1970) }

    /// Replaces `{E}`, `{equal}`, `{older}` and so on.
    package func fill(_ line: String) -> String {
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

    private static let httpDate = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"

    private static func date(_ date: Date) -> String { format(httpDate).string(from: date) }

    private static func format(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = pattern
        return formatter
    }
}
