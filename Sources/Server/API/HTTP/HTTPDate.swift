/// Formats and parses dates in HTTP header fields (RFC 9110 §5.6.7). Times are seconds since 1970, UTC.
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Formats a time as an IMF-fixdate, for example `Fri, 01 Dec 2023 06:39:55 GMT`.
    public static func text(seconds: Int64) -> String {
        let (dayNumber, clock) = ISO8601.floorDivide(seconds, by: 86_400)
        let (year, month, day) = ISO8601.civil(days: dayNumber)
        let weekday = days[((dayNumber % 7) + 7) % 7]
        let time = [clock / 3600, clock / 60 % 60, clock % 60].map(twoDigits).joined(separator: ":")
        return "\(weekday), \(twoDigits(day)) \(months[month - 1]) \(year) \(time) GMT"
    }

    /// Parses an IMF-fixdate or one of the two obsolete formats. The weekday is not checked.
    /// - Returns: Seconds since 1970, or `nil` if the text is not a valid date.
    public static func seconds(_ text: String) -> Int64? {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        switch words.count {
        case 6 where words[5] == "GMT" && words[0].hasSuffix(","):
            return seconds(day: words[1], month: words[2], year: words[3], clock: words[4])
        case 4 where words[3] == "GMT" && words[0].hasSuffix(","):
            let parts = words[1].utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                .map(Substring.init)
            guard parts.count == 3, parts[2].utf8.count == 2 else { return nil }
            return seconds(day: parts[0], month: parts[1], year: parts[2], clock: words[2])
        case 5 where words[0].utf8.count == 3:
            return seconds(day: words[2], month: words[1], year: words[4], clock: words[3])
        default: return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, clock: Substring) -> Int64? {
        let time = clock.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Substring.init)
        guard let day = number(day, 1...2), let month = months.firstIndex(of: String(month)),
            var year = number(year, 2...4),
            time.count == 3, let hour = number(time[0], 2...2), let minute = number(time[1], 2...2),
            let second = number(time[2], 2...2), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        // RFC 9110 §5.6.7: a two-digit year more than 50 years in the future is in the past.
        if year < 100 { year += year < 77 ? 2000 : 1900 }
        let days = ISO8601.days(year: year, month: month + 1, day: day)
        guard ISO8601.civil(days: days) == (year, month + 1, day) else { return nil }
        return Int64(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, _ width: ClosedRange<Int>) -> Int? {
        guard width.contains(text.utf8.count), text.isDigits else { return nil }
        return Int(text)
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
