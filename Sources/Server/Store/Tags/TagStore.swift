package import FeedCore

/// Stores the use of hashtags and featured hashtags in the database.
package struct TagStore: Sendable {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The use of hashtags during the last days, in the given order.
    /// - Parameter tags: The keys of hashtags, at most 200.
    package func histories(of tags: [String]) async throws -> [TagHistory] {
        let today = TagUse.day(at: database.clock.now())
        guard !tags.isEmpty else { return [] }
        let query: SQL = """
            SELECT tag, day, uses, accounts FROM tag_day
            WHERE tag IN \(list: Array(tags.prefix(200))) AND day > \(today - TagHistory.days) AND day <= \(today)
            """
        let (rows, names) = try await database.read { db in
            (try db.fetchAll(query), try Self.names(of: tags.prefix(200), in: db))
        }
        let rowsByTag = try Dictionary(grouping: rows) { try $0[0] as String }
        return try tags.map { tag in
            let uses = try (rowsByTag[tag] ?? []).map { try TagUse(day: $0[1], uses: $0[2], accounts: $0[3]) }
            return TagHistory(tag, name: names[tag], known: uses, today: today)
        }
    }

    /// The spelling of hashtags in the oldest public status that contains each.
    private static func names(of tags: some Sequence<String>, in db: Database) throws -> [String: String] {
        var names: [String: String] = [:]
        for tag in tags {
            let query: SQL = """
                SELECT tags FROM status WHERE id = (SELECT t.status_id FROM status_tag t
                    WHERE t.tag = \(tag) AND t.visibility = 0 ORDER BY t.status_id LIMIT 1)
                """
            guard let packed = try db.fetchOne(query, as: String.self) else { continue }
            names[tag] = StatusRow.tags(packed).first { Hashtag.key($0) == tag }
        }
        return names
    }

    /// Deletes the uses of days that no history shows, some at a time.
    /// - Returns: The number of deleted rows.
    package func pruneUses() async throws -> Int {
        let first = TagUse.day(at: database.clock.now()) - TagHistory.days
        return try await database.commits.write(freesSpace: true) { db in
            try db.execute(
                "DELETE FROM tag_day WHERE (tag, day) IN (SELECT tag, day FROM tag_day WHERE day < \(first) LIMIT 500)"
            )
            return try db.changesCount
        }
    }
}

/// The key of a row of `tag_day`.
struct TagDay: Hashable, Sendable {
    /// The key of the hashtag.
    var tag: String
    /// Days since 1970, UTC.
    var day: Int64
}

extension Database {
    /// Counts the public statuses with a hashtag on one day again.
    func recount(_ key: TagDay) throws {
        try execute("DELETE FROM tag_day WHERE tag = \(key.tag) AND day = \(key.day)")
        try execute(
            """
            INSERT INTO tag_day (tag, day, uses, accounts)
            SELECT t.tag, CAST(\(key.day) AS BIGINT), count(*), count(DISTINCT s.account_id)
            FROM status_tag t JOIN status s ON s.id = t.status_id
            WHERE t.tag = \(key.tag) AND t.status_id >= \(TagUse.firstID(of: key.day))
            AND t.status_id < \(TagUse.firstID(of: key.day + 1)) AND t.visibility = 0
            AND \(StatusVisibility.published("s")) GROUP BY t.tag
            """)
    }
}

// The use of hashtags by day is counted in the transaction that changes it, so that no page has to count statuses.
extension Database {
    /// The maximum number of an account's other statuses with a hashtag that are read to find out whether it has used it
    /// publicly on the same day. An author with more non-public ones is counted again.
    private static let maximumOthers = 100

    /// Counts the hashtags of a public status.
    /// - Parameters:
    ///   - tags: The keys of hashtags.
    ///   - now: Milliseconds since 1970; days that no history shows are not counted.
    func countUses(of tags: some Collection<String>, in status: Int64, by account: Int64, at now: Int64) throws {
        let day = TagUse.day(ofStatus: status)
        guard !tags.isEmpty, day > TagUse.day(at: now) - TagHistory.days else { return }
        for tag in tags {
            try execute(
                """
                INSERT INTO tag_day (tag, day, uses, accounts) VALUES (\(tag), \(day), 1, 1)
                ON CONFLICT (tag, day) DO UPDATE SET uses = tag_day.uses + 1,
                    accounts = tag_day.accounts
                        + CASE WHEN \(Self.hasOthers(TagDay(tag: tag, day: day), account, status)) THEN 0 ELSE 1 END
                """)
        }
    }

    /// Subtracts the hashtags of a public status that is deleted or no longer contains them.
    func uncountUses(of tags: some Collection<String>, in status: Int64, by account: Int64) throws {
        let day = TagUse.day(ofStatus: status)
        for tag in tags {
            try execute(
                """
                UPDATE tag_day SET uses = CASE WHEN uses > 0 THEN uses - 1 ELSE 0 END,
                    accounts = CASE
                        WHEN accounts < 1 OR \(Self.hasOthers(TagDay(tag: tag, day: day), account, status))
                        THEN accounts ELSE accounts - 1 END
                WHERE tag = \(tag) AND day = \(day)
                """)
        }
    }

    /// Whether another public status by the account contains the hashtag on this day.
    private static func hasOthers(_ key: TagDay, _ account: Int64, _ status: Int64) -> SQL {
        """
        EXISTS (SELECT 1 FROM (SELECT t.visibility FROM status_tag t
            WHERE t.account_id = \(account) AND t.tag = \(key.tag) AND t.status_id >= \(TagUse.firstID(of: key.day))
            AND t.status_id < \(TagUse.firstID(of: key.day + 1)) AND t.status_id <> \(status)
            ORDER BY t.status_id DESC LIMIT \(maximumOthers)) others WHERE others.visibility = 0)
        """
    }

    /// Subtracts the public statuses among `ids`, which are the oldest ones of an account that is being removed.
    func uncountUses(ofOldest ids: [Int64], by account: Int64) throws {
        guard let last = ids.max() else { return }
        let day: SQL = "(t.status_id >> 16) / \(sql: String(TagUse.milliseconds))"
        try execute(
            """
            UPDATE tag_day SET
                uses = CASE WHEN tag_day.uses > gone.number THEN tag_day.uses - gone.number ELSE 0 END,
                accounts = CASE WHEN tag_day.accounts < 1 OR EXISTS (SELECT 1 FROM status_tag o
                    WHERE o.account_id = \(account) AND o.tag = gone.tag AND o.status_id > \(last)
                    AND o.status_id < (gone.day + 1) * \(sql: String(TagUse.firstID(of: 1))) AND o.visibility = 0)
                    THEN tag_day.accounts ELSE tag_day.accounts - 1 END
            FROM (SELECT t.tag AS tag, \(day) AS day, count(*) AS number FROM status_tag t
                WHERE t.status_id IN (\(ids: ids)) AND t.visibility = 0 GROUP BY t.tag, \(day)) gone
            WHERE tag_day.tag = gone.tag AND tag_day.day = gone.day
            """)
    }
}
