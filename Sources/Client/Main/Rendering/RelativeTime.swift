/// The time since an event, in as few characters as possible: `5s`, `3m`, `2h`, `6d`, `40w`, `3y`.
enum RelativeTime {
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - now: Milliseconds since 1970.
    static func text(_ time: Int64, now: Int64) -> String {
        let seconds = max(0, (now - time) / 1000)
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3600: return "\(seconds / 60)m"
        case ..<86_400: return "\(seconds / 3600)h"
        case ..<604_800: return "\(seconds / 86_400)d"
        case ..<31_536_000: return "\(seconds / 604_800)w"
        default: return "\(seconds / 31_536_000)y"
        }
    }
}
