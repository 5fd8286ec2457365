import FeedAPI
import FeedClientKit
import Foundation

/// The time at which a status is to be published, as people write it.
enum ScheduledTime {
    /// The minimum time in milliseconds until the publication that this server and Mastodon accept.
    static let minimumDelay: Int64 = 300_000
    private static let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    private static let maximumSeconds: Int64 = 100 * 366 * 86_400

    /// Parses a time: ISO 8601, which is local time unless it ends with `Z` or an offset (`2026-12-24T18:00`), or the time
    /// from now in weeks, days, hours and minutes (`+2h`, `+1d12h`).
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - zone: The time zone of local times; `nil` for the process's own, which the C library reads from `TZ`.
    /// - Returns: Milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.usage` if the text is no such time, or the time is too soon.
    static func milliseconds(_ text: String, now: Int64, zone: TimeZone? = nil) throws -> Int64 {
        let parsed = text.hasPrefix("+") ? delay(text.dropFirst()).map { now + $0 * 1000 } : absolute(text, zone)
        guard let time = parsed else {
            throw FeedClientError(
                .usage, "\"\(text.prefix(40))\" is not a time",
                hint: "Write a time such as 2026-12-24T18:00, or the time from now such as +2h or +1d12h.")
        }
        guard time - now >= minimumDelay else {
            throw FeedClientError(
                .usage, "\"\(text)\" is \(time < now ? "in the past" : "less than 5 minutes from now")",
                hint: "A post can be scheduled for 5 minutes from now or later; post it without --schedule instead.")
        }
        return time
    }

    private static func absolute(_ text: String, _ zone: TimeZone?) -> Int64? {
        ISO8601.milliseconds(written: text) { local in
            guard let zone else { return offsetOfProcess(local) }
            // The offset at that time, not now: there may be a change to or from summer time in between.
            let guess = Int64(zone.secondsFromGMT(for: date(local))) * 1000
            return Int64(zone.secondsFromGMT(for: date(local - guess))) * 1000
        }
    }

    /// The offset from UTC in milliseconds at a local time. `TimeZone.current` takes a `TZ` such as `UTC+3`,
    /// `:Europe/Berlin` or a path for UTC; `mktime` understands what `date` understands.
    private static func offsetOfProcess(_ local: Int64) -> Int64 {
        let seconds = local / 1000
        var (time, fields) = (time_t(clamping: seconds), tm())
        guard gmtime_r(&time, &fields) != nil else { return 0 }
        fields.tm_isdst = -1
        return (seconds - Int64(mktime(&fields))) * 1000
    }

    private static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The seconds in a text such as `1d12h`.
    private static func delay(_ text: Substring) -> Int64? {
        var (total, digits, seen) = (Int64(0), "", Set<Character>())
        for character in text {
            if let unit = units[character] {
                guard let count = Int64(digits), count <= maximumSeconds / unit, seen.insert(character).inserted else {
                    return nil
                }
                total += count * unit
                digits = ""
            } else {
                guard character.isASCII, character.isNumber else { return nil }
                digits.append(character)
            }
        }
        return digits.isEmpty && !seen.isEmpty && total <= maximumSeconds ? total : nil
    }
}
