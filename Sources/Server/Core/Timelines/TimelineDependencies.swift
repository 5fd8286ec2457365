extension ChangeDependencies {
    /// The dependencies of statuses that a value shows outside of any list.
    /// - Parameter viewer: The account for which they were read; `nil` for anonymous visitors.
    package init(showing statuses: [Status], to viewer: Int64?) {
        self.init()
        self.viewer = viewer
        for status in statuses { add(status) }
    }

    /// The dependencies of a page of a timeline.
    /// - Parameters:
    ///   - pagination: The requested page.
    ///   - authors: The authors of a home timeline: the viewer and the accounts it follows; `nil` if they are too many
    ///     to list. Ignored for other timelines.
    package init(
        _ page: Page<Status>, of timeline: Timeline, _ pagination: Pagination, authors: Set<Int64>?, viewer: Int64?
    ) {
        self.init(showing: page.entries, to: viewer)
        if let following = page.following { add(following) }
        self.authors = timeline.newAuthors(home: authors)
        end = Self.end(of: page, pagination)
        // Where reading stopped depends on statuses that the page does not show.
        onAnything = page.endsEarly || (timeline.isHome && authors == nil) || timeline == .classic
    }

    private mutating func add(_ status: Status) {
        accounts.insert(status.account.id)
        statuses.insert(status.id)
        if let parent = status.inReplyToID { statuses.insert(parent) }
        guard let boost = status.boost else { return }
        accounts.insert(boost.account.id)
        statuses.insert(boost.id)
    }

    /// New statuses have higher ids than all others, so they never enter a page below an upper bound, nor a full page
    /// that was read upwards.
    private static func end(of page: Page<Status>, _ pagination: Pagination) -> Int64 {
        guard pagination.readsUpwards, page.entries.count >= pagination.limit else { return pagination.maxID ?? .max }
        return 0
    }
}

extension Timeline {
    fileprivate var isHome: Bool { if case .home = self { true } else { false } }

    /// The accounts whose new statuses may appear on the timeline.
    fileprivate func newAuthors(home: Set<Int64>?) -> ChangeDependencies.Authors? {
        switch self {
        case .public, .publicMedia, .tags, .conversations, .classic: .everyone
        case .home: home.map { .accounts($0) }
        case .account(let account, _): .accounts([account])
        // Marks are the viewer's own actions.
        case .marked: nil
        }
    }
}
