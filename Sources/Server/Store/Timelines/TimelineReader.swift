import FeedCore

/// Reads a page of a timeline with several bounded queries, so that a page that omits many statuses does not delay
/// other readers. A page may therefore be short and still have a next one.
struct TimelineReader {
    /// The maximum number of queries per page. If the page is still not full, the next page starts where this one ends.
    private static let maximumQueries = 50
    /// The minimum number of followed accounts and hashtags for which the home timeline is read from the newest statuses
    /// of all accounts.
    private static let manyFollows = 60

    private let timeline: Timeline
    private let viewer: Int64?
    private let now: Int64
    private let manyFollows: Int

    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - manyFollows: Overrides the threshold, to test both ways of reading a home timeline.
    init(_ timeline: Timeline, for viewer: Int64?, now: Int64, manyFollows: Int = Self.manyFollows) {
        self.timeline = timeline
        self.viewer = viewer
        self.now = now
        self.manyFollows = manyFollows
    }

    func page(_ page: Pagination, in database: FeedDatabase) async throws -> Page<Status> {
        var found: [Status] = []
        var rest = page.fetchingOneExtra
        for round in 0..<Self.maximumQueries {
            let next = try await database.read { [rest] db in try step(rest, isFirst: round == 0, in: db) }
            if found.isEmpty { found = next.statuses } else { found += next.statuses }
            guard found.count <= page.limit, let end = next.end else { return page.list(consume found, end: nil) }
            rest = rest.behind(end, limit: page.limit + 1 - found.count)
        }
        return page.list(found, end: rest.isAscending ? rest.minID : rest.maxID)
    }

    /// The result of one query.
    struct Step: Sendable {
        /// The statuses, nearest first.
        let statuses: [Status]
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
            let found = try read(scan, page, maximumRows: scan.maximumRows, in: db)
            if found.count == page.limit { return Step(statuses: found, end: nil) }
        }
        let wanted = isFirst ? 2 * page.limit : .max
        let scan = TimelineScan(timeline, page, maximumRows: wanted, viewer: viewer, home: home, now: now)
        let maximumRows = min(wanted, scan.maximumRows)
        let found = try read(scan, page, maximumRows: maximumRows, in: db)
        guard found.count < page.limit else { return Step(statuses: found, end: nil) }
        let end = try Int64.fetchOne(db, scan.end(page, maximumRows: maximumRows))
        return Step(statuses: found, end: end)
    }

    private func read(_ scan: TimelineScan, _ page: Pagination, maximumRows: Int, in db: Database) throws -> [Status] {
        let query = scan.rows(page, maximumRows: maximumRows, viewer: viewer)
        return try StatusRow.read(query, for: viewer, in: db)
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
    ///   - found: The statuses, nearest first; one more than the limit if another page follows.
    ///   - end: The last row read, if reading stopped before the page was full.
    fileprivate func list(_ found: consuming [Status], end: Int64?) -> Page<Status> {
        let hasOlder = end != nil || found.count > limit
        let following = found.count > limit ? found[limit] : nil
        found.removeLast(max(0, found.count - limit))
        let entries = found
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

/// The content of an account's home timeline, which decides how it is read.
struct HomeContent: Sendable {
    let account: Int64
    /// The number of accounts and hashtags that the account follows.
    var follows = 0
    var hasTags = false
    /// Whether the members of some lists are left out.
    var hasExclusiveLists = false

    /// The home timeline of an account with neither lists nor followed hashtags.
    init(account: Int64) { self.account = account }

    /// Reads the content from the database.
    init(of account: Int64, in db: Database) throws {
        self.init(account: account)
        let statement = try db.cachedStatement(
            sql: """
                SELECT a.following_count, (SELECT count(*) FROM tag_follow t WHERE t.account_id = a.id),
                EXISTS (SELECT 1 FROM list l WHERE l.account_id = a.id AND l.exclusive = 1)
                FROM account a WHERE a.id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [account]) else { return }
        let (accounts, tags) = (row[0] as Int, row[1] as Int)
        // A stored count may be wrong.
        let (sum, overflows) = accounts.addingReportingOverflow(tags)
        (follows, hasTags, hasExclusiveLists) = (overflows ? .max : sum, tags > 0, row[2])
    }
}
