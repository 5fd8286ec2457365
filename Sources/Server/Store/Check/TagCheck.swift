import FeedCore

/// Compares the counts of `tag_day` with the statuses of the days that histories show.
struct TagCheck: Sendable {
    /// The number of rows that are corrected per transaction, so that posting remains possible.
    private static let batch = 50
    /// An author with more statuses with a hashtag on one day may be counted twice.
    private static let maximumPerAuthor = 100

    let database: FeedDatabase

    /// - Parameter isRepairing: Whether to correct wrong counts.
    func findings(in snapshot: any DatabaseReading, isRepairing: Bool) async throws -> [CheckFinding] {
        guard try await !wrong(in: snapshot).isEmpty, let lock = try lockImports() else { return [] }
        defer { lock.release() }
        // An import may have ended since the snapshot.
        let current = try database.snapshot()
        defer { current.close() }
        // Imports need to wait only for a repair.
        if !isRepairing { lock.release() }
        let keys = try await wrong(in: current)
        guard !keys.isEmpty else { return [] }
        if isRepairing {
            try await database.repair(keys, batch: Self.batch) { keys, db in
                for key in keys { try db.recount(key) }
            }
        }
        return [
            CheckFinding(
                "wrong uses and accounts of tag_day: \(keys.count) rows", remedy: CheckFinding.repair,
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
        return try await source.read { try $0.fetchAll(query).map { try TagDay(tag: $0[0], day: $0[1]) } }
    }

    /// A query of the rows that differ from the statuses since the day `first`, in which a day without statuses has no
    /// row.
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
        ORDER BY day, tag LIMIT \(DerivedValueCheck.limit)
        """
    }
}
