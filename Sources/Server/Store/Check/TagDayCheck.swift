import FeedCore

/// Compares the counts of `tag_day` with the statuses of the days that histories show.
struct TagDayCheck: Sendable {
    /// The number of rows that are corrected per transaction, so that posting remains possible.
    private static let batch = 50
    /// An author with more statuses with a hashtag on one day may be counted twice.
    private static let maximumPerAuthor = 100

    let database: FeedDatabase

    /// - Parameter isRepairing: Whether to correct wrong counts.
    func findings(in snapshot: any DatabaseReading, isRepairing: Bool) async throws -> [Finding] {
        guard try await !wrong(in: snapshot).isEmpty, let lock = try lockImports() else { return [] }
        defer { lock.release() }
        // An import may have ended since the snapshot.
        let keys = try await wrong(in: database)
        guard !keys.isEmpty else { return [] }
        if isRepairing { try await correct(keys) }
        return [
            Finding(
                "uses and accounts of tag_day: wrong in \(keys.count) rows", remedy: Finding.repair,
                isRepaired: isRepairing)
        ]
    }

    /// An import counts its hashtags after it has been published.
    /// - Returns: `nil` while an import is running.
    private func lockImports() throws -> (any ImportLocking)? {
        do {
            return try database.engine.lockImports()
        } catch let error as FeedError where error.kind == .conflict {
            return nil
        }
    }

    private func wrong(in source: any DatabaseReading) async throws -> [TagDay] {
        let query = Self.query(from: TagUse.day(at: database.clock.now()) - TagHistory.days + 1)
        return try await source.read { try $0.fetchAll(query).map { TagDay(tag: $0[0], day: $0[1]) } }
    }

    /// A query of the rows that differ from the statuses since the day `first`, which has no row where no statuses were
    /// counted.
    private static func query(from first: Int64) -> SQL {
        """
        SELECT tag, day FROM (
            SELECT tag, day, uses, accounts, 0 AS busiest FROM tag_day WHERE day >= \(first)
            UNION ALL
            SELECT tag, day, -sum(uses), -sum(CASE WHEN uses > 0 THEN 1 ELSE 0 END), max(number) FROM (
                SELECT tag, day, author, count(*) AS number, sum(CASE WHEN visibility = 0 THEN 1 ELSE 0 END) AS uses
                FROM (
                    SELECT t.tag, (t.status_id >> 16) / \(sql: String(TagUse.milliseconds)) AS day,
                        s.account_id AS author, s.visibility
                    FROM status_tag t JOIN status s ON s.id = t.status_id
                    WHERE t.status_id >= \(TagUse.firstID(of: first)) AND \(StatusVisibility.published("s"))
                ) AS used GROUP BY tag, day, author
            ) AS counted GROUP BY tag, day
        ) AS compared GROUP BY tag, day
        HAVING sum(uses) <> 0 OR sum(accounts) <> 0 AND max(busiest) <= \(maximumPerAuthor)
        ORDER BY day, tag LIMIT \(ValueRule.limit)
        """
    }

    private func correct(_ keys: [TagDay]) async throws {
        let now = database.clock.now()
        for start in stride(from: 0, to: keys.count, by: Self.batch) {
            let some = keys[start..<min(start + Self.batch, keys.count)]
            try await database.commits.write { db in
                for key in some { try db.recount(key) }
                // Pages that show the history of a hashtag are no longer valid.
                try db.log(.imported, at: now)
            }
        }
    }
}
