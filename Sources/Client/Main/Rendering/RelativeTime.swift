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
