import FeedCore

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
                AND \(TimelineScan.listed(nil, now))
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
        let home = TimelineScan.homeTimelineCondition(of: viewer, hasTags: true, hasExclusiveLists: true, now: now)
        let listed = TimelineScan.listed(viewer, now)
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
            WHERE \(TimelineScan.listTimelineCondition(now: now))
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
