import FeedCore

/// What the viewer's filters do to the statuses of a page.
extension ViewerFilters {
    /// The treatment of a status on a page.
    enum Treatment: Sendable, Equatable {
        case show
        /// Shows the title of the filter in place of the status, which can be unfolded.
        case fold(title: String)
        case leaveOut
    }

    /// The treatment of a status on a page. The viewer's own posts and boosts are always shown.
    func treatment(of status: Status) -> Treatment {
        guard viewer == nil || status.account.id != viewer && status.boost?.account.id != viewer else { return .show }
        let matches = matches(status).map(\.filter)
        if matches.contains(where: { $0.action == .hide }) { return .leaveOut }
        return matches.first.map { .fold(title: $0.title) } ?? .show
    }
}
