package import FeedCore

/// Stores the use of hashtags and featured hashtags in the database.
package struct TagStore: Sendable {
    private let database: FeedDatabase

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
