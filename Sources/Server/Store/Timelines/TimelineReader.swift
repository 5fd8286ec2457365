import FeedCore

/// Reads a page of a timeline with several bounded queries, so that a page that omits many statuses does not delay
/// other readers. A page may therefore be short and still have a next one.
struct TimelineReader<Entry: ListedEntry> {
    /// The maximum number of queries per page. If the page is still not full, the next page starts where this one ends.
    private static var maximumQueries: Int { 50 }
    /// The minimum number of followed accounts and hashtags for which the home timeline is read from the newest statuses
    /// of all accounts.
    private static var manyFollows: Int { 60 }

    private let timeline: Timeline
    private let viewer: Int64?
    private let now: Int64
    private let manyFollows: Int
    private let rows: @Sendable (StatusCandidates, Database) throws -> [Entry]

    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - manyFollows: Overrides the threshold, to test both ways of reading a home timeline.
    ///   - rows: Reads the entries of a page.
    init(
        _ timeline: Timeline, for viewer: Int64?, now: Int64, manyFollows: Int? = nil,
        rows: @escaping @Sendable (StatusCandidates, Database) throws -> [Entry]
    ) {
        self.timeline = timeline
        self.viewer = viewer
        self.now = now
        self.manyFollows = manyFollows ?? Self.manyFollows
        self.rows = rows
    }

    func page(_ page: Pagination, in database: FeedDatabase) async throws -> Page<Entry> {
        var statuses: [Entry] = []
        var rest = page.fetchingOneExtra
        for round in 0..<Self.maximumQueries {
            let next = try await database.read { [rest] db in try step(rest, isFirst: round == 0, in: db) }
            if statuses.isEmpty { statuses = next.statuses } else { statuses += next.statuses }
            guard statuses.count <= page.limit, let end = next.end else { return page.list(consume statuses, end: nil) }
            rest = rest.behind(end, limit: page.limit + 1 - statuses.count)
        }
        return page.list(statuses, end: rest.isAscending ? rest.minID : rest.maxID)
    }

    /// The result of one query.
    struct Step: Sendable {
        /// The statuses, nearest first.
        let statuses: [Entry]
        /// The last row read, if more may follow.
        let end: Int64?
    }

    /// Runs one query.
    /// - Parameter isFirst: Whether this is the first query of a page. It reads few rows, since most pages omit few
    ///   statuses.
    func step(_ page: Pagination, isFirst: Bool, in db: Database) throws -> Step {
        let home = try timeline.homeAccount.map { try HomeContent(of: $0, in: db) }
        if isFirst, let home, home.follows >= manyFollows {
            let scan = TimelineScan.homeFromNewest(home, page, now: now)
            let statuses = try read(scan, page, maximumRows: scan.maximumRows, in: db)
            if statuses.count == page.limit { return Step(statuses: statuses, end: nil) }
        }
        let wanted = isFirst ? 2 * page.limit : .max
        let scan = TimelineScan(timeline, page, maximumRows: wanted, viewer: viewer, home: home, now: now)
        let maximumRows = min(wanted, scan.maximumRows)
        let statuses = try read(scan, page, maximumRows: maximumRows, in: db)
        guard statuses.count < page.limit else { return Step(statuses: statuses, end: nil) }
        let end = try db.fetchOne(scan.end(page, maximumRows: maximumRows), as: Int64.self)
        return Step(statuses: statuses, end: end)
    }

    private func read(_ scan: TimelineScan, _ page: Pagination, maximumRows: Int, in db: Database) throws -> [Entry] {
        try rows(scan.candidates(page, maximumRows), db)
    }
}

extension TimelineReader<Status> {
    init(_ timeline: Timeline, for viewer: Int64?, now: Int64, manyFollows: Int? = nil) {
        self.init(timeline, for: viewer, now: now, manyFollows: manyFollows) { candidates, db in
            try StatusRow.read(candidates, for: viewer, in: db)
        }
    }
}

extension Timeline {
    /// The account whose home timeline this is.
    fileprivate var homeAccount: Int64? {
        if case .home(let account) = self { account } else { nil }
    }
}

extension Pagination {
    /// The remainder of a page after an entry.
    fileprivate func behind(_ end: Int64, limit: Int) -> Pagination {
        isAscending
            ? Pagination(limit: limit, maxID: maxID, sinceID: sinceID, minID: end)
            : Pagination(limit: limit, maxID: end, sinceID: sinceID)
    }

    /// A page of the given statuses.
    /// - Parameters:
    ///   - statuses: The statuses, nearest first; one more than the limit if another page follows.
    ///   - end: The last row read, if reading stopped before the page was full.
    func list<Entry: ListedEntry>(_ statuses: consuming [Entry], end: Int64?) -> Page<Entry> {
        let hasOlder = end != nil || statuses.count > limit
        let following = statuses.count > limit ? statuses[limit] : nil
        statuses.removeLast(max(0, statuses.count - limit))
        let entries = statuses
        let (first, last) = (entries.first?.pageID, end ?? entries.last?.pageID)
        var page = Page(entries: entries, newest: first, oldest: last, hasOlder: hasOlder)
        if isAscending {
            page = Page(entries: entries.reversed(), newest: last, oldest: first, hasOlder: first != nil)
        }
        page.following = following
        page.endsEarly = end != nil
        return page
    }
}

extension HomeContent {
    /// Reads the content from the database.
    init(of account: Int64, in db: Database) throws {
        self.init(account: account)
        let query: SQL = """
            SELECT a.following_count, (SELECT count(*) FROM tag_follow t WHERE t.account_id = a.id),
            EXISTS (SELECT 1 FROM list l WHERE l.account_id = a.id AND l.exclusive = 1),
            EXISTS (SELECT 1 FROM block b WHERE b.account_id = a.id)
                OR EXISTS (SELECT 1 FROM block b WHERE b.target_id = a.id)
                OR EXISTS (SELECT 1 FROM mute u WHERE u.account_id = a.id)
            FROM account a WHERE a.id = \(account)
            """
        guard let row = try db.fetchOne(query) else { return }
        let (accounts, tags) = try (row[0] as Int, row[1] as Int)
        // A stored count may be wrong.
        let (sum, overflows) = accounts.addingReportingOverflow(tags)
        (follows, hasTags) = (overflows ? .max : sum, tags > 0)
        (hasExclusiveLists, hidesAccounts) = try (row[2], row[3])
    }
}
