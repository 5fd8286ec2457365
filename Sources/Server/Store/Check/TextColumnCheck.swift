import FeedCore

/// A check of the form of a text column from which paths, addresses or headers are formed. Our own statements never
/// break it, so a value that does comes from somebody else.
struct TextColumnCheck: Sendable {
    /// The number of rows per query.
    private static let page = 2000

    let table: String
    let column: String
    /// The primary key of the table.
    let key: String
    let isValid: @Sendable (String) -> Bool
    /// A statement that removes the value from the row with the key `?1`; `nil` if the row cannot do without it.
    let removal: String?

    static let all = [
        TextColumnCheck(
            table: "account", column: "username", key: "id",
            isValid: { name in (try? Username.check(name)) != nil }, removal: nil),
        blob(
            "account", "avatar", key: "id",
            removal: "UPDATE account SET avatar = NULL, avatar_static = NULL WHERE id = ?1"),
        blob(
            "account", "header", key: "id",
            removal: "UPDATE account SET header = NULL, header_static = NULL WHERE id = ?1"),
        blob("account", "avatar_static", key: "id", removal: "UPDATE account SET avatar_static = NULL WHERE id = ?1"),
        blob("account", "header_static", key: "id", removal: "UPDATE account SET header_static = NULL WHERE id = ?1"),
        TextColumnCheck(
            table: "file", column: "name", key: "name", isValid: { name in (try? FileName.normalize(name)) == name },
            removal: "DELETE FROM file WHERE name = ?1"),
        blob("file", "blob", key: "name", removal: "DELETE FROM file WHERE name = ?1"),
        blob(
            "media", "blob", key: "id", removal: "UPDATE media SET blob = NULL, format = NULL, size = 0 WHERE id = ?1"),
        blob(
            "media", "thumbnail", key: "id",
            removal: "UPDATE media SET thumbnail = NULL, thumbnail_format = NULL, thumbnail_size = 0 WHERE id = ?1"),
        blob("replaced_blob", "blob", key: "id", removal: "DELETE FROM replaced_blob WHERE id = ?1"),
    ]

    private static func blob(_ table: String, _ column: String, key: String, removal: String) -> TextColumnCheck {
        TextColumnCheck(table: table, column: column, key: key, isValid: { BlobHash($0) != nil }, removal: removal)
    }

    /// The keys of rows that fail the check.
    /// - Parameter limit: The largest number of keys.
    func wrong(in source: any DatabaseReading, limit: Int) async throws -> [SQLValue] {
        // Backups by older versions have fewer tables and columns.
        guard try await source.read({ try $0.connection.columns(of: table).contains(column) }) else { return [] }
        var (keys, last): ([SQLValue], SQLValue?) = ([], nil)
        while keys.count < limit {
            let rows = try await source.read { [last] db in
                try db.fetchAll(query(after: last)).map { ($0.value(0), $0.value(1)) }
            }
            keys += rows.filter { !accepts($1) }.map(\.0)
            guard rows.count == Self.page, let end = rows.last?.0 else { break }
            last = end
        }
        return Array(keys.prefix(limit))
    }

    private func query(after last: SQLValue?) -> SQL {
        let rest: SQL = last.map { "AND \(sql: key) > \($0)" } ?? ""
        return """
            SELECT \(sql: key), \(sql: column) FROM \(sql: table) WHERE \(sql: column) IS NOT NULL \(rest)
            ORDER BY \(sql: key) LIMIT \(Self.page)
            """
    }

    private func accepts(_ value: SQLValue) -> Bool {
        guard case .text(let text) = value else { return false }
        return isValid(text)
    }
}

extension TextColumnCheck {
    /// Refuses a database of unknown origin if a value in it could become the path of a file elsewhere.
    /// - Throws: ``FeedError`` `.storage` that names the table and the row of the first such value.
    static func requireAll(in source: any DatabaseReading) async throws {
        for check in all {
            guard let key = try await check.wrong(in: source, limit: 1).first else { continue }
            throw FeedError(
                .storage,
                "the database contains an invalid \(check.table).\(check.column) in the row \(check.name(key))",
                hint: "Nothing was taken from it. Find out who has changed it; feedserver check lists all such values.")
        }
    }

    /// The key of a row, for people.
    func name(_ key: SQLValue) -> String {
        switch key {
        case .integer(let id): String(id)
        case .text(let text): LogEscaping.json(text, limit: 64)
        default: "of another type"
        }
    }

    /// - Parameter isRepairing: Whether to remove the values.
    static func findings(
        in snapshot: any DatabaseReading, of database: FeedDatabase, isRepairing: Bool
    ) async throws -> [CheckFinding] {
        var findings: [CheckFinding] = []
        for check in all {
            let keys = try await check.wrong(in: snapshot, limit: DerivedValueCheck.limit)
            guard !keys.isEmpty else { continue }
            let removal = isRepairing ? check.removal : nil
            if let removal {
                try await database.repair(keys) { keys, db in
                    for key in keys { try db.execute(SQL(sql: removal, [key])) }
                }
            }
            let examples = keys.prefix(3).map(check.name).joined(separator: ", ")
            findings.append(
                CheckFinding(
                    "invalid \(check.column) of \(check.table): \(keys.count) rows (\(examples)\(keys.count > 3 ? ", …" : ""))",
                    remedy: check.removal == nil ? CheckFinding.restore : CheckFinding.repair,
                    isRepaired: removal != nil
                ))
        }
        return findings
    }
}
