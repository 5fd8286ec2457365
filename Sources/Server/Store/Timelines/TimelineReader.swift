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
            let query = HomeTimelineQuery.fromNewest(home, page, now: now)
            let statuses = try read(query, page, maximumRows: query.maximumRows, in: db)
            if statuses.count == page.limit { return Step(statuses: statuses, end: nil) }
        }
        let wanted = isFirst ? 2 * page.limit : .max
        let query = TimelineQuery(timeline, page, maximumRows: wanted, viewer: viewer, home: home, now: now)
        let maximumRows = min(wanted, query.maximumRows)
        let statuses = try read(query, page, maximumRows: maximumRows, in: db)
        guard statuses.count < page.limit else { return Step(statuses: statuses, end: nil) }
        let end = try db.fetchOne(query.end(page, maximumRows: maximumRows), as: Int64.self)
        return Step(statuses: statuses, end: end)
    }

    private func read(_ query: TimelineQuery, _ page: Pagination, maximumRows: Int, in db: Database) throws -> [Entry] {
        try rows(query.candidates(page, maximumRows), db)
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

/// Reads the statuses of a list in two steps: first, which ones, and what their viewer has marked; then the content of
/// those that the caller does not know.
enum ListedStatusRow {
    private enum Column {
        static let (pageID, id, position, statusID, hasPoll, firstMark) = (0, 1, 2, 3, 4, 5)
    }

    static func read(
        _ candidates: StatusCandidates, for viewer: Int64?, known: KnownStatuses, in db: Database
    ) throws -> [ListedStatus] {
        let rows = try candidates.sorted(try db.fetchAll(query(candidates, viewer)), by: Column.pageID)
        guard let first = rows.first else { return [] }
        let (entries, position) = (try entries(in: rows, for: viewer, db), try first[Column.position] as Int64)
        return try content(of: entries, boosts: candidates.boosts, at: position, known: known, in: db)
    }

    /// The entries of a list, without their content.
    static func entries(_ candidates: StatusCandidates, for viewer: Int64, in db: Database) throws -> [MarkedEntry] {
        try entries(in: try db.fetchAll(query(candidates, viewer)), for: viewer, db)
    }

    /// Adds the content of entries. Entries that have been deleted are left out.
    /// - Parameter position: The position of the change log in the snapshot that is read.
    static func content(
        of entries: [MarkedEntry], boosts: Bool = true, at position: Int64, known: KnownStatuses, in db: Database
    ) throws -> [ListedStatus] {
        let templates = known(entries.map(\.id), position)
        let missing = zip(entries, templates).compactMap { $1 == nil ? $0.id : nil }
        let statuses = try statuses(missing, boosts: boosts, at: position, in: db)
        return zip(entries, templates).compactMap { entry, template in
            let content = template.map(ListedStatus.Content.known) ?? statuses[entry.id].map(ListedStatus.Content.read)
            return content.map { ListedStatus(entry, $0) }
        }
    }

    private static func entries(in rows: [Row], for viewer: Int64?, _ db: Database) throws -> [MarkedEntry] {
        let votes = try viewer.map { try self.votes(of: $0, in: rows, db) } ?? [:]
        return try rows.map { row in
            var marks = SharedStatus.Marks()
            if viewer != nil {
                marks = try self.marks(row)
                marks.votes = votes[try row[Column.statusID], default: []]
            }
            return MarkedEntry(id: try row[Column.id], pageID: try row[Column.pageID], marks: marks)
        }
    }

    private static func query(_ candidates: StatusCandidates, _ viewer: Int64?) -> SQL {
        // The position is that of the snapshot in which the content is read, too.
        let position: SQL = "(SELECT coalesce(max(sequence), 0) FROM change)"
        guard let viewer else { return "SELECT c.*, \(position) FROM (\(candidates.query)) c" }
        let marks = StatusRow.marks(of: viewer, onlyMutes: candidates.areNew && !candidates.boosts)
        let status: SQL =
            candidates.boosts
            ? "CROSS JOIN status e ON e.id = c.status_id CROSS JOIN status s ON s.id = coalesce(e.boost_of_id, e.id)"
            : "CROSS JOIN status s ON s.id = c.status_id"
        return """
            WITH c(page_id, status_id) AS MATERIALIZED (\(candidates.query))
            SELECT c.page_id, c.status_id, \(position), s.id, s.has_poll, \(marks) FROM c \(status)
            """
    }

    /// Statuses without marks by the requested ids.
    private static func statuses(
        _ ids: [Int64], boosts: Bool, at position: Int64, in db: Database
    ) throws -> [Int64: ReadStatus] {
        guard !ids.isEmpty else { return [:] }
        let candidates = StatusCandidates(query: "SELECT value, value FROM (\(ids: ids)) ids", boosts: boosts)
        var statuses = try StatusRow.read(candidates, for: nil, in: db)
        var statusesByID = [Int64: ReadStatus](minimumCapacity: statuses.count)
        // Moves the statuses instead of copying them.
        while let status = statuses.popLast() {
            let id = status.pageID
            statusesByID[id] = ReadStatus(status, at: position)
        }
        return statusesByID
    }

    private static func marks(_ row: Row) throws -> SharedStatus.Marks {
        var marks = SharedStatus.Marks()
        for (index, mark) in [StatusMark.favourite, .bookmark, .pin, .conversationMute].enumerated()
        where try row[Column.firstMark + index] { marks.marks.insert(mark) }
        marks.isBoosted = try row[Column.firstMark + 4]
        return marks
    }

    /// The numbers of the options that a viewer has chosen, ascending, by the status of the poll.
    private static func votes(of viewer: Int64, in rows: [Row], _ db: Database) throws -> [Int64: [Int]] {
        let polls = try rows.filter { try $0[Column.hasPoll] }.map { try $0[Column.statusID] as Int64 }
        guard !polls.isEmpty else { return [:] }
        let query: SQL = """
            SELECT v.status_id, v.number FROM poll_vote v WHERE v.account_id = \(viewer)
            AND v.status_id IN (\(ids: Array(Set(polls)))) ORDER BY v.status_id, v.number
            """
        return try db.fetchAll(query).reduce(into: [:]) { try $0[$1[0], default: []].append($1[1]) }
    }
}
