package import FeedCore

/// Finds out who receives the changes of the log, and reads the change feed, in the database.
package struct StreamStore: Sendable {
    /// The maximum number of changes per query.
    private static let maximumChanges = 100
    /// The maximum number of accounts per query.
    private static let maximumAccounts = 1000
    /// The maximum number of pairs of a change and an account per query, which takes some milliseconds.
    private static let maximumPairs = 4000

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The part of the log that can be replayed.
    package func window() async throws -> ChangeWindow { try await database.read { try $0.changeWindow() } }

    /// A page of the change feed of an account.
    /// - Parameters:
    ///   - cursor: Where the account continues; `nil` for the end of the log.
    ///   - limit: The maximum number of entries.
    ///   - maximumRows: The maximum number of rows of the log that are examined.
    package func feed(
        since cursor: ChangeCursor?, limit: Int, maximumRows: Int, for account: Int64
    ) async throws -> ChangeFeedPage {
        let reader = ChangeFeedReader(
            account: account, limit: limit, maximumRows: maximumRows, now: database.clock.now())
        return try await database.read { try reader.page(since: cursor, in: $0) }
    }

    /// The recipients of changes under the current relationships, in the order of the changes. Changes that reach nobody
    /// are part of the result.
    ///
    /// The number of queries depends on the numbers of changes and readers, never on one reader: live streams call it
    /// with one change and all readers, a replay with many changes and one reader.
    package func recipients(
        of changes: [Change], among readers: SubscribedAccounts
    ) async throws -> [StreamRecipients] {
        var allRecipients: [StreamRecipients] = []
        let parts = readers.parts(of: Self.maximumAccounts)
        let size = parts.map(\.accounts.count).max() ?? 0
        let maximum = min(max(1, Self.maximumPairs / max(1, size)), Self.maximumChanges)
        for some in changes.chunks(of: maximum) { allRecipients += try await recipients(of: Array(some), in: parts) }
        return allRecipients
    }

    private func recipients(of changes: [Change], in parts: [SubscribedAccounts]) async throws -> [StreamRecipients] {
        var list = RecipientList(changes)
        guard list.reachesAnyone else { return list.recipients }
        let now = database.clock.now()
        for (index, readers) in parts.enumerated() {
            let query = RecipientQuery(
                statuses: list.statuses, deletions: list.deletions, readers: readers, now: now)
            let (subjects, matches) = try await database.read { db in
                try (index == 0 ? query.subjects(in: db) : [:], query.matches(in: db))
            }
            list.add(subjects, matches)
        }
        return list.recipients
    }
}

/// Collects the recipients of some changes as the results of queries arrive.
private struct RecipientList {
    private(set) var recipients: [StreamRecipients]
    /// The positions of the changes that concern a status, by its id.
    private var positions: [Int64: [Int]] = [:]
    /// The positions of the deletions, by sequence number.
    private var deleted: [Int64: Int] = [:]

    var statuses: [Int64] { positions.keys.sorted() }
    var deletions: [Int64] { deleted.keys.sorted() }
    /// Whether a query is needed.
    var reachesAnyone: Bool { !positions.isEmpty || !deleted.isEmpty }

    init(_ changes: [Change]) {
        recipients = changes.map(StreamRecipients.init)
        for (index, change) in changes.enumerated() {
            let audiences = StreamRouting.entries(for: change.kind).map(\.audience)
            if audiences.contains(.couldSee) {
                deleted[change.sequence] = index
            } else if let status = change.subject, audiences.contains(where: { $0 != .account }) {
                positions[status, default: []].append(index)
            }
        }
    }

    mutating func add(_ subjects: [Int64: StreamRecipients.Subject], _ matches: [RecipientQuery.Match]) {
        for (status, subject) in subjects {
            for index in positions[status] ?? [] { recipients[index].subject = subject }
        }
        for match in matches { add(match) }
    }

    private mutating func add(_ match: RecipientQuery.Match) {
        if match.reason == .witness {
            if let index = deleted[match.subject] { recipients[index].witnesses.insert(match.reader) }
            return
        }
        for index in positions[match.subject] ?? [] {
            switch match.reason {
            case .home: recipients[index].home.insert(match.reader)
            case .listed: recipients[index].listed.insert(match.reader)
            case .list: recipients[index].lists.insert(match.reader)
            case .participant: recipients[index].participants.insert(match.reader)
            case .witness: break
            }
        }
    }
}

extension SubscribedAccounts {
    /// Parts with a limited number of accounts; at least one part, even without accounts.
    fileprivate func parts(of size: Int) -> [SubscribedAccounts] {
        let parts = accounts.sorted().chunks(of: size).map { readers(among: Set($0)) }
        return parts.isEmpty ? [SubscribedAccounts()] : parts
    }

    private func readers(among accounts: Set<Int64>) -> SubscribedAccounts {
        var part = SubscribedAccounts()
        part.home = home.intersection(accounts)
        part.listed = listed.intersection(accounts)
        part.direct = direct.intersection(accounts)
        part.lists = lists.filter { accounts.contains($0.value) }
        return part
    }
}

/// One query for the recipients of changes among the readers of streams. It uses the same conditions as the timelines.
struct RecipientQuery {
    /// The reason why a reader receives a change. The raw values are the first column of the result.
    enum Reason: Int {
        case home = 1
        case listed, list, participant, witness
    }

    struct Match {
        let reason: Reason
        /// The id of the status; the sequence number of the row for ``Reason/witness``.
        let subject: Int64
        /// The id of the account; for ``Reason/list``, the id of the list.
        let reader: Int64
    }

    /// The ids of the statuses and boosts that changed.
    var statuses: [Int64] = []
    /// The sequence numbers of rows about deleted statuses and removed boosts.
    var deletions: [Int64] = []
    let readers: SubscribedAccounts
    /// Milliseconds since 1970.
    let now: Int64

    func matches(in db: Database) throws -> [Match] {
        let parts = statusParts + deletionParts
        guard !parts.isEmpty else { return [] }
        return try db.fetchAll(parts.joined(separator: " UNION ALL ")).compactMap { row in
            try Reason(rawValue: row[0]).map { try Match(reason: $0, subject: row[1], reader: row[2]) }
        }
    }

    /// The properties that decide on which streams each status appears, keyed by its id.
    func subjects(in db: Database) throws -> [Int64: StreamRecipients.Subject] {
        guard !statuses.isEmpty else { return [:] }
        let query: SQL = """
            SELECT e.id, e.tags, e.media_ids <> '', e.visibility = 0 AND e.boost_of_id IS NULL
                AND \(TimelineQuery.listed(nil, now))
            \(entries)
            """
        let subjects = try db.fetchAll(query).map { row -> (Int64, StreamRecipients.Subject) in
            let tags = try StatusRow.tags(row[1])
            return try (row[0], .init(tags: Hashtag.keys(tags), hasMedia: row[2], isListed: row[3]))
        }
        return Dictionary(subjects) { first, _ in first }
    }

    /// The statuses `e` by `ea`.
    private var entries: SQL {
        """
        FROM (\(Self.list(statuses))) w CROSS JOIN status e ON e.id = w.id
        CROSS JOIN account ea ON ea.id = e.account_id
        """
    }

    private var statusParts: [SQL] {
        guard !statuses.isEmpty else { return [] }
        let (viewer, isPublic): (SQL, SQL) = ("v.id", "e.visibility = 0 AND e.boost_of_id IS NULL")
        let home = HomeTimelineQuery.condition(of: viewer, hasTags: true, hasExclusiveLists: true, now: now)
        let listed = TimelineQuery.listed(viewer, now)
        let ends: SQL = """
            e.visibility = 3 AND EXISTS (SELECT 1 FROM conversation c
                WHERE c.account_id = v.id AND c.last_status_id = e.id AND c.is_hidden = 0)
            """
        return [
            part(.home, readers.home, home), part(.listed, readers.listed, "\(isPublic) AND \(listed)"),
            part(.participant, readers.direct, "\(ends) AND \(listed)"), listPart,
        ].compactMap(\.self)
    }

    private func part(_ reason: Reason, _ accounts: Set<Int64>, _ condition: SQL) -> SQL? {
        guard !accounts.isEmpty else { return nil }
        return """
            SELECT \(sql: String(reason.rawValue)), e.id, v.id \(entries)
            CROSS JOIN (\(Self.list(accounts.sorted()))) v ON 1 = 1 WHERE \(condition)
            """
    }

    private var listPart: SQL? {
        guard !readers.lists.isEmpty else { return nil }
        return """
            SELECT \(sql: String(Reason.list.rawValue)), e.id, vl.id \(entries)
            CROSS JOIN list vl ON vl.id IN (\(Self.list(readers.lists.keys.sorted())))
            WHERE \(ListTimelineQuery.condition(now: now))
            """
    }

    private var deletionParts: [SQL] {
        let accounts = readers.accounts.sorted()
        guard !deletions.isEmpty, !accounts.isEmpty else { return [] }
        let viewer: SQL = "v.id"
        return [
            """
            SELECT \(sql: String(Reason.witness.rawValue)), d.sequence, v.id FROM (\(Self.list(deletions))) w
            CROSS JOIN change d ON d.sequence = w.id CROSS JOIN (\(Self.list(accounts))) v ON 1 = 1
            WHERE \(StatusVisibility.couldSee(viewer: viewer))
            """
        ]
    }

    private static func list(_ ids: [Int64]) -> SQL { "SELECT value AS id FROM (\(ids: ids)) ids" }
}
