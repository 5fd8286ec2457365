import FeedAPI
import FeedTerminal
import Foundation

/// A time in the local time zone, for people.
enum LocalTime {
    /// `14:02`, or `2026-11-22 14:02` if that is another day.
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - now: Milliseconds since 1970.
    static func text(_ time: Int64, now: Int64) -> String {
        let (then, today) = (fields(time), fields(now))
        let isToday = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday
        return isToday ? clock(then) : date(then) + " " + clock(then)
    }

    /// `2026-11-22 14:02` for an ISO 8601 time of a server, or its text, filtered, if it is no such time.
    static func full(iso text: String) -> String {
        ISO8601.milliseconds(written: text).map(full) ?? SafeText.line(text)
    }

    /// `2026-11-22 14:02`.
    /// - Parameter time: Milliseconds since 1970.
    static func full(_ time: Int64) -> String {
        let then = fields(time)
        return date(then) + " " + clock(then)
    }

    private static func date(_ time: tm) -> String {
        "\(padded(time.tm_year + 1900, 4))-\(padded(time.tm_mon + 1, 2))-\(padded(time.tm_mday, 2))"
    }

    private static func clock(_ time: tm) -> String { padded(time.tm_hour, 2) + ":" + padded(time.tm_min, 2) }

    private static func fields(_ milliseconds: Int64) -> tm {
        var (seconds, fields) = (time_t(clamping: milliseconds / 1000), tm())
        localtime_r(&seconds, &fields)
        return fields
    }

    private static func padded(_ number: CInt, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// A time for people: how long ago it is in as few characters as possible (`5s`, `3m`, `2h`, `6d`), and from a week on the
/// local date and time.
enum RelativeTime {
    /// From this age on, the date says more, in seconds.
    private static let maximumAge: Int64 = 604_800

    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - now: Milliseconds since 1970.
    static func text(_ time: Int64, now: Int64) -> String {
        let seconds = (now - time) / 1000
        return seconds < maximumAge ? duration(max(0, seconds)) : LocalTime.full(time)
    }

    /// The same within a sentence: `2h ago`.
    static func phrase(_ time: Int64, now: Int64) -> String {
        let text = text(time, now: now)
        return (now - time) / 1000 < maximumAge ? text + " ago" : text
    }

    /// A time to come, such as `in 2h`.
    static func text(until time: Int64, now: Int64) -> String {
        let seconds = (time - now) / 1000
        return seconds < maximumAge ? "in " + duration(max(0, seconds)) : LocalTime.full(time)
    }

    private static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m"
        case ..<86_400: "\(seconds / 3600)h"
        default: "\(seconds / 86_400)d"
        }
    }
}
