package import FeedCore

extension StatusStore {
    /// The newest page of a home timeline, from its earlier entries and those that were added since.
    /// - Parameters:
    ///   - earlier: The entries of the earlier page and, if another page follows, the first one of that, newest first.
    ///   - additions: The statuses and boosts that may have been added up to a position of the change log; `nil` if other
    ///     entries or marks may have changed.
    ///   - known: As for ``timeline(_:page:for:known:)``.
    /// - Returns: `nil` if the page has to be read anew.
    package func refreshedHome(
        of account: Int64, _ earlier: [MarkedEntry], limit: Int,
        additions: @escaping @Sendable (_ position: Int64) -> [Int64]?,
        known: @escaping @Sendable (_ ids: [Int64], _ position: Int64) -> [StatusTemplate?]
    ) async throws -> Page<ListedStatus>? {
        let now = database.clock.now()
        return try await database.read { db in
            let position = try db.lastChange()
            // The earlier page may contain some of them, because it is newer than the position at which it was valid.
            guard let ids = additions(position)?.filter({ id in !earlier.contains { $0.id == id } }) else { return nil }
            let added = try Self.homeEntries(among: ids, of: account, limit: limit + 1, now: now, in: db)
            let entries = Array((added + earlier).sorted { $0.pageID > $1.pageID }.prefix(limit + 1))
            let listed = try ListedStatusRow.content(of: entries, at: position, known: known, in: db)
            return listed.count == entries.count ? Pagination(limit: limit).list(listed, end: nil) : nil
        }
    }

    /// The newest of those statuses and boosts that belong on a home timeline.
    private static func homeEntries(
        among ids: [Int64], of account: Int64, limit: Int, now: Int64, in db: Database
    ) throws -> [MarkedEntry] {
        guard !ids.isEmpty else { return [] }
        let home = try HomeContent(of: account, in: db)
        let candidates = StatusCandidates(query: TimelineScan.home(home, among: ids, limit: limit, now: now))
        return try ListedStatusRow.entries(candidates, for: account, in: db)
    }
}
