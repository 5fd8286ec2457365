package import FeedCore

/// Stores the use of hashtags and featured hashtags in the database.
package struct TagStore: TagStoring {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func histories(of tags: [String]) async throws -> [TagHistory] {
        let today = TagUse.day(at: database.clock.now())
        guard !tags.isEmpty else { return [] }
        let query: SQL = """
            SELECT tag, day, uses, accounts FROM tag_day
            WHERE tag IN \(list: Array(tags.prefix(200))) AND day > \(today - TagHistory.days) AND day <= \(today)
            """
        let rows = try await database.read { try $0.fetchAll(query) }
        let known = Dictionary(grouping: rows) { $0[0] as String }
        return tags.map { tag in
            let uses = (known[tag] ?? []).map { TagUse(day: $0[1], uses: $0[2], accounts: $0[3]) }
            return TagHistory(tag, known: uses, today: today)
        }
    }

    package func pruneUses() async throws -> Int {
        let first = TagUse.day(at: database.clock.now()) - TagHistory.days
        return try await database.commits.write(freesSpace: true) { db in
            try db.execute(
                "DELETE FROM tag_day WHERE (tag, day) IN (SELECT tag, day FROM tag_day WHERE day < \(first) LIMIT 500)"
            )
            return db.changesCount
        }
    }
}
