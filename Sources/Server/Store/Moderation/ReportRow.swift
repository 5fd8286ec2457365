import FeedCore

/// Reads reports with their accounts and statuses.
enum ReportRow {
    private static let columns = """
        r.id, r.category, r.comment, r.status_ids, r.rule_ids, r.created_at, r.updated_at, r.account_id, r.target_id, \
        r.assigned_id, r.resolved_at, r.resolved_by
        """

    /// The reports `r` that meet a condition. The reported statuses are read regardless of their visibility, because the
    /// reporter could see them.
    static func read(_ condition: SQL, for viewer: Int64?, in db: Database) throws -> [Report] {
        let reports = try readWithoutStatuses(condition, in: db)
        let statuses = try StatusStore.read(db, ids: reports.flatMap(\.statusIDs), for: viewer, where: "1 = 1")
        return reports.map { report in
            var report = report
            report.statuses = report.statusIDs.compactMap { statuses[$0] }
            return report
        }
    }

    /// The same without the statuses, of which a report may have many.
    static func readWithoutStatuses(_ condition: SQL, in db: Database) throws -> [Report] {
        let rows = try db.fetchAll("SELECT \(sql: columns) FROM report r WHERE \(condition)")
        let accounts = try accounts(of: rows, in: db)
        return rows.compactMap { decode($0, accounts) }
    }

    static func pack(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: " ") }

    private static func unpack(_ text: String) -> [Int64] {
        text.utf8.split(separator: UInt8(ascii: " ")).compactMap { Int64(Substring($0)) }
    }

    private static func accounts(of rows: [Row], in db: Database) throws -> [Int64: Account] {
        let ids = rows.flatMap { row in [row[7] as Int64?, row[8], row[9], row[11]].compactMap(\.self) }
        return try db.accounts(ids)
    }

    private static func decode(_ row: Row, _ accounts: [Int64: Account]) -> Report? {
        guard let reporter = accounts[row[7]], let target = accounts[row[8]] else { return nil }
        let assignee: Int64? = row[9]
        let resolvedAt: Int64? = row[10]
        let resolver: Int64? = row[11]
        return Report(
            id: row[0], category: Report.Category(rawValue: row[1]) ?? .other, comment: row[2],
            statusIDs: unpack(row[3]), ruleIDs: unpack(row[4]), createdAt: row[5], updatedAt: row[6],
            reporter: reporter, target: target, assignee: assignee.flatMap { accounts[$0] },
            resolution: resolvedAt.map { Report.Resolution(at: $0, by: resolver.flatMap { accounts[$0] }) })
    }
}
