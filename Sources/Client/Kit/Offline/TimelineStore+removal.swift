import GRDB

extension TimelineStore {
    /// Removes everything that is stored for the owner, also from the unused parts of the file.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func removeAll() async throws {
        try await database.write { db in
            let sql = "SELECT id FROM owner WHERE name = ?"
            guard let account = try Int64.fetchOne(db, sql: sql, arguments: [owner]) else { return }
            for statement in [
                "DELETE FROM entry WHERE timeline IN (SELECT id FROM timeline WHERE owner = ?)",
                "DELETE FROM timeline WHERE owner = ?", "DELETE FROM status WHERE owner = ?",
                "DELETE FROM read_position WHERE owner = ?", "DELETE FROM owner WHERE id = ?",
            ] { try db.execute(sql: statement, arguments: [account]) }
        }
        try await database.compact()
    }
}
