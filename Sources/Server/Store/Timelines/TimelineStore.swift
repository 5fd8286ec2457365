package import FeedCore

/// Reads timelines from the database.
package struct TimelineStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// A page of a timeline, limited to statuses that `viewer` may see; `nil` means an anonymous viewer.
    package func timeline(_ timeline: Timeline, page: Pagination, for viewer: Int64?) async throws -> Page<Status> {
        try await TimelineReader(timeline, for: viewer, now: database.clock.now()).page(page, in: database)
    }

    /// The same page, of which some statuses need not be read.
    /// - Parameter known: Called while the page is read, possibly several times.
    package func timeline(
        _ timeline: Timeline, page: Pagination, for viewer: Int64?, known: @escaping KnownStatuses
    ) async throws -> Page<ListedStatus> {
        let reader = TimelineReader(timeline, for: viewer, now: database.clock.now()) { candidates, db in
            try ListedStatusRow.read(candidates, for: viewer, known: known, in: db)
        }
        return try await reader.page(page, in: database)
    }
}

extension TimelineStore {
    /// The accounts and hashtags whose statuses the home timeline of an account contains.
    /// - Parameter limit: The maximum number of accounts to list.
    package func homeSources(of account: Int64, limit: Int) async throws -> TimelineSources {
        try await database.read { db in
            let authors: SQL =
                "\(HomeTimelineQuery.followed(by: account)) UNION ALL SELECT \(account) LIMIT \(limit + 1)"
            let ids = try db.fetchAll(authors, as: Int64.self)
            return TimelineSources(
                authors: ids.count > limit ? nil : Set(ids),
                tags: try FollowedTagStore.followedNames(by: account, in: db),
                home: try HomeContent(of: account, in: db))
        }
    }

    /// The newest page of a home timeline, from its earlier entries and those that were added since.
    ///
    /// Between the expiry of a mute and the row of the log that says so, the page contains new statuses of the account, but
    /// not yet its older ones.
    /// - Parameters:
    ///   - earlier: The entries of the earlier page and, if another page follows, the first one of that, newest first.
    ///   - home: The content of the timeline, read after the earlier page.
    ///   - additions: What may have been added up to a position of the change log; `nil` if other entries or marks may have
    ///     changed.
    /// - Returns: `nil` if the page has to be read again.
    package func refreshedHome(
        _ home: HomeContent, from earlier: [MarkedEntry], limit: Int,
        additions: @escaping @Sendable (_ position: Int64) -> ListAdditions?, known: @escaping KnownStatuses
    ) async throws -> Page<ListedStatus>? {
        let (now, present) = (database.clock.now(), Set(earlier.map(\.id)))
        return try await database.read { db in
            let position = try db.lastChange()
            guard var new = additions(position) else { return nil }
            // The earlier page may contain some of them, because it is newer than the position at which it was valid.
            new.ids.removeAll(where: present.contains)
            let added = try Self.homeEntries(among: new, of: home, limit: limit + 1, now: now, in: db)
            let entries = Array((added + earlier).sorted { $0.pageID > $1.pageID }.prefix(limit + 1))
            let listed = try ListedStatusRow.content(of: entries, at: position, known: known, in: db)
            return listed.count == entries.count ? Pagination(limit: limit).list(listed, end: nil) : nil
        }
    }

    /// The newest of those additions that belong on a home timeline. Most do, so the newest ones usually suffice.
    private static func homeEntries(
        among new: ListAdditions, of home: HomeContent, limit: Int, now: Int64, in db: Database
    ) throws -> [MarkedEntry] {
        func entries(_ ids: some Collection<Int64>) throws -> [MarkedEntry] {
            guard !ids.isEmpty else { return [] }
            let hasBoosts = ids.contains(where: new.boosts.contains)
            let query = HomeTimelineQuery.entries(
                among: Array(ids), of: home, hasBoosts: hasBoosts, limit: limit, now: now)
            return try ListedStatusRow.entries(
                StatusCandidates(query: query, boosts: hasBoosts, areNew: true), for: home.account, in: db)
        }
        let newest = new.ids.sorted().suffix(limit + limit / 4)
        let found = try entries(newest)
        return found.count < limit && newest.count < new.ids.count ? try entries(new.ids) : found
    }
}
