import FeedCore

/// The effect of the viewer's filters on a status on a page.
enum PageFilter: Sendable, Equatable {
    case show
    /// Shows the title of the filter in place of the status, which can be unfolded.
    case fold(title: String)
    case leaveOut

    /// The viewer's own posts and boosts are always shown.
    init(_ status: Status, _ filters: ViewerFilters) {
        self = .show
        let viewer = filters.viewer
        guard viewer == nil || status.account.id != viewer && status.boost?.account.id != viewer else { return }
        let matches = filters.matches(status).map(\.filter)
        if matches.contains(where: { $0.action == .hide }) {
            self = .leaveOut
        } else if let first = matches.first {
            self = .fold(title: first.title)
        }
    }
}
