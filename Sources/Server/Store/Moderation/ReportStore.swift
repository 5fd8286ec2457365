package import FeedCore

/// Stores reports in the database.
package struct ReportStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Stores a report.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown or suspended, or if a status is not one of the
    ///   account's statuses that the reporter may see.
    package func create(_ draft: ReportDraft, by reporter: Int64) async throws -> Report {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try db.requireActiveAccount(reporter)
            guard let target = try AccountStore.find(db, id: draft.targetID), ReportRule.accepts(target) else {
                throw FeedError.notFound
            }
            let seen = try StatusStore.find(db, ids: draft.statusIDs, for: reporter)
            guard draft.statusIDs.allSatisfy({ seen[$0].map { ReportRule.accepts($0, of: target.id) } ?? false }) else {
                throw FeedError.notFound
            }
            let id = try db.nextID(now: now)
            try Self.insert(draft, id: id, by: reporter, at: now, in: db)
            try db.log(.reportCreated, subject: id, account: reporter, at: now)
            try db.notifyModerators(of: .adminReport, by: reporter, report: id, at: now)
            return try Self.require(id, for: reporter, in: db)
        }
    }

    /// The selected reports, newest first; paged by id.
    /// - Parameter moderator: The account whose marks on the statuses are included.
    package func reports(
        _ selection: ReportSelection, page: Pagination, for moderator: Int64?
    ) async throws -> [Report] {
        let reports = try await database.read { db in
            let condition: SQL = "\(page.bounds(on: "r.id")) AND \(Self.condition(selection))"
            let end: SQL = "ORDER BY r.id \(page.order) LIMIT \(page.limit)"
            return try ReportRow.read("\(condition) \(end)", for: moderator, in: db)
        }
        return page.isAscending ? reports.reversed() : reports
    }

    /// The number of reports that are not resolved.
    package func openCount() async throws -> Int {
        try await database.read {
            try $0.fetchOne("SELECT count(*) FROM report WHERE resolved_at IS NULL", as: Int.self) ?? 0
        }
    }

    package func report(id: Int64, for moderator: Int64?) async throws -> Report? {
        try await database.read { try ReportRow.read("r.id = \(id)", for: moderator, in: $0).first }
    }

    /// - Parameter moderator: The acting account; `nil` for the operator.
    /// - Throws: ``FeedError`` `.notFound`.
    @discardableResult
    package func change(_ id: Int64, _ change: ReportChange, by moderator: Int64?) async throws -> Report {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try Self.apply(change, to: id, by: moderator, at: now, in: db)
            return try Self.require(id, for: moderator, in: db)
        }
    }
}

extension ReportStore {
    /// - Throws: ``FeedError`` `.notFound` unless the report is about the account.
    static func require(_ id: Int64, about account: Int64, in db: Database) throws {
        let query: SQL = "SELECT 1 FROM report WHERE id = \(id) AND target_id = \(account)"
        guard try db.fetchOne(query, as: Int.self) != nil else { throw FeedError.notFound }
    }

    /// Resolves all open reports about an account, with one entry of the change log for all of them.
    static func resolveAll(about account: Int64, by moderator: Int64?, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            UPDATE report SET resolved_at = \(now), resolved_by = \(moderator), updated_at = \(now)
            WHERE target_id = \(account) AND resolved_at IS NULL
            """)
        if try db.changesCount > 0 { try db.log(.reportUpdated, account: moderator, at: now) }
    }

    /// - Throws: ``FeedError`` `.notFound`.
    static func apply(
        _ change: ReportChange, to id: Int64, by moderator: Int64?, at now: Int64, in db: Database
    ) throws {
        let assignments: SQL =
            switch change {
            case .assign: "assigned_id = \(moderator)"
            case .unassign: "assigned_id = NULL"
            case .resolve: "resolved_at = \(now), resolved_by = \(moderator)"
            case .reopen: "resolved_at = NULL, resolved_by = NULL"
            }
        try db.execute("UPDATE report SET \(assignments), updated_at = \(now) WHERE id = \(id)")
        guard try db.changesCount > 0 else { throw FeedError.notFound }
        try db.log(.reportUpdated, subject: id, account: moderator, at: now)
    }

    private static func require(_ id: Int64, for viewer: Int64?, in db: Database) throws -> Report {
        guard let report = try ReportRow.read("r.id = \(id)", for: viewer, in: db).first else {
            throw FeedError.notFound
        }
        return report
    }

    private static func insert(
        _ draft: ReportDraft, id: Int64, by reporter: Int64, at now: Int64, in db: Database
    ) throws {
        try db.execute(
            """
            INSERT INTO report
            (id, account_id, target_id, category, comment, status_ids, rule_ids, created_at, updated_at)
            VALUES (\(id), \(reporter), \(draft.targetID), \(draft.category.rawValue), \(draft.comment),
                \(ReportRow.pack(draft.statusIDs)), \(ReportRow.pack(draft.ruleIDs)), \(now), \(now))
            """)
    }

    private static func condition(_ selection: ReportSelection) -> SQL {
        var parts: [SQL] = ["1 = 1"]
        if let isResolved = selection.isResolved {
            parts.append(isResolved ? "r.resolved_at IS NOT NULL" : "r.resolved_at IS NULL")
        }
        if let reporter = selection.reporterID { parts.append("r.account_id = \(reporter)") }
        if let target = selection.targetID { parts.append("r.target_id = \(target)") }
        return parts.joined(separator: " AND ")
    }
}

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

    /// The same without the reported statuses, which may be many.
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
