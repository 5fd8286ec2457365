package import FeedCore

extension StatusStore {
    /// The newest page of a home timeline, from its earlier entries and those that were added since.
    /// - Parameters:
    ///   - earlier: The entries of the earlier page and, if another page follows, the first one of that, newest first.
    ///   - hasTags: Whether the account follows hashtags.
    ///   - additions: The statuses and boosts that may have been added up to a position of the change log; `nil` if other
    ///     entries or marks may have changed.
    ///   - known: As for ``timeline(_:page:for:known:)``.
    /// - Returns: `nil` if the page has to be read anew.
    package func refreshedHome(
        of account: Int64, _ earlier: [MarkedEntry], limit: Int, hasTags: Bool,
        additions: @escaping @Sendable (_ position: Int64) -> [Int64]?,
        known: @escaping @Sendable (_ ids: [Int64], _ position: Int64) -> [StatusTemplate?]
    ) async throws -> Page<ListedStatus>? {
        var home = HomeContent(account: account)
        // Without lists, the condition has the same result.
        (home.hasTags, home.hasExclusiveLists) = (hasTags, true)
        let (page, now) = (Pagination(limit: limit), database.clock.now())
        return try await database.read { [home] db in
            let position = try db.lastChange()
            // The earlier page may contain some of them, because it is newer than the position at which it was valid.
            guard let ids = additions(position)?.filter({ id in !earlier.contains { $0.id == id } }) else { return nil }
            let query = TimelineScan.home(home, among: ids, now: now).candidates(page.fetchingOneExtra, ids.count)
            let added =
                ids.isEmpty
                ? [] : try ListedStatusRow.entries(StatusCandidates(query: query), for: account, in: db)
            let entries = Array((added + earlier).sorted { $0.pageID > $1.pageID }.prefix(limit + 1))
            let listed = try ListedStatusRow.content(of: entries, at: position, known: known, in: db)
            return listed.count == entries.count ? page.list(listed, end: nil) : nil
        }
    }
}
