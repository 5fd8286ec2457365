import FeedAPI
import FeedCore

/// Formats dates for display; the script of the page makes them relative. Times are milliseconds since 1970.
enum PageDate {
    /// The date and time, for example `1 Dec 2023, 06:39 UTC`.
    static func full(_ time: Int64, in zone: PageTimeZone = .utc, _ text: any PageText = EnglishText()) -> String {
        let offset = zone.offset(at: time)
        let parts = ISO8601.parts(milliseconds: time + offset)
        let clock = "\(two(parts.hour)):\(two(parts.minute)) \(name(ofOffset: offset))"
        return text.time(on: text.date(day: parts.day, month: parts.month, year: parts.year), at: clock)
    }

    /// The month and year, for example `Dec 2023`.
    static func month(_ time: Int64, _ text: any PageText) -> String {
        let parts = ISO8601.parts(milliseconds: time)
        return text.month(parts.month, year: parts.year)
    }

    /// The value of a field for a local time, for example `2023-12-01T07:39`.
    static func field(_ time: Int64, in zone: PageTimeZone) -> String {
        String(ISO8601.text(milliseconds: time + zone.offset(at: time)).prefix(16))
    }

    /// For example `UTC`, `UTC+2` or `UTC−3:30`.
    private static func name(ofOffset offset: Int64) -> String {
        let minutes = abs(offset) / 60_000
        guard minutes > 0 else { return "UTC" }
        let rest = minutes % 60 == 0 ? "" : ":" + two(Int(minutes % 60))
        return "UTC\(offset < 0 ? "−" : "+")\(minutes / 60)\(rest)"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}

/// A length of time that a form offers.
enum PageDuration: Sendable {
    case minutes(Int), hours(Int), days(Int)

    var seconds: Int {
        switch self {
        case .minutes(let count): count * 60
        case .hours(let count): count * 3600
        case .days(let count): count * 86_400
        }
    }
}
