import Foundation

/// A time of day in the local time zone, for people.
enum LocalTime {
    /// `14:02`, or `2026-11-22 14:02` if that is another day.
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - now: Milliseconds since 1970.
    static func text(_ time: Int64, now: Int64) -> String {
        let (then, today) = (fields(time), fields(now))
        let isToday = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday
        let clock = padded(then.tm_hour, 2) + ":" + padded(then.tm_min, 2)
        if isToday { return clock }
        return "\(padded(then.tm_year + 1900, 4))-\(padded(then.tm_mon + 1, 2))-\(padded(then.tm_mday, 2)) " + clock
    }

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
