import FeedCore

/// Reads reports with their accounts and statuses.
enum ReportRow {
    private enum Column: Int, EntityColumn {
        case id, category, comment, statusIDs, ruleIDs, createdAt, updatedAt, accountID, targetID, assignedID,
            resolvedAt, resolvedBy

        static let columns = list(of: "r")
    }

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
        let rows = try db.fetchAll("SELECT \(sql: Column.columns) FROM report r WHERE \(condition)")
            .map { EntityRow($0, Column.self) }
        let accounts = try accounts(of: rows, in: db)
        return try rows.compactMap { try decode($0, accounts) }
    }

    static func pack(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: " ") }

    private static func unpack(_ text: String) -> [Int64] {
        text.utf8.split(separator: UInt8(ascii: " ")).compactMap { Int64(Substring($0)) }
    }

    private static func accounts(of rows: [EntityRow<Column>], in db: Database) throws -> [Int64: Account] {
        let ids = try rows.flatMap { row in
            try [row[.accountID] as Int64?, row[.targetID], row[.assignedID], row[.resolvedBy]].compactMap(\.self)
        }
        return try db.accounts(ids)
    }

    private static func decode(_ row: EntityRow<Column>, _ accounts: [Int64: Account]) throws -> Report? {
        guard let reporter = try accounts[row[.accountID]], let target = try accounts[row[.targetID]] else {
            return nil
        }
        let assignee: Int64? = try row[.assignedID]
        let resolvedAt: Int64? = try row[.resolvedAt]
        let resolver: Int64? = try row[.resolvedBy]
        return try Report(
            id: row[.id], category: Report.Category(rawValue: row[.category]) ?? .other, comment: row[.comment],
            statusIDs: unpack(row[.statusIDs]), ruleIDs: unpack(row[.ruleIDs]), createdAt: row[.createdAt],
            updatedAt: row[.updatedAt], reporter: reporter, target: target, assignee: assignee.flatMap { accounts[$0] },
            resolution: resolvedAt.map { Report.Resolution(at: $0, by: resolver.flatMap { accounts[$0] }) })
    }
}
