package import FeedCore
import Foundation
import GRDB

/// Access tokens in SQLite.
package struct TokenStore: TokenStoring {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func insert(hash: [UInt8], accountID: Int64, scopes: Scopes, application: String) async throws -> Int64 {
        let now = database.surroundings.now()
        return try await database.commits.write { db in
            let id = try db.nextID(now: now)
            try db.execute(
                sql:
                    "INSERT INTO token (id, hash, account_id, scopes, application, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [id, Data(hash), accountID, scopes.text, application, now])
            return id
        }
    }

    package func viewer(hash: [UInt8]) async throws -> Viewer? {
        try await database.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(AccountRow.columns), t.scopes, t.application FROM token t
                    JOIN account a ON a.id = t.account_id
                    WHERE t.hash = ? AND a.suspended_at IS NULL AND \(AccountRow.published)
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [Data(hash)]) else { return nil }
            let words = (row[AccountRow.count] as String).split(separator: " ").map(String.init)
            return Viewer(
                account: AccountRow.decode(row), scopes: Scopes(words: words), application: row[AccountRow.count + 1])
        }
    }

    /// The tokens of an account, the oldest first.
    package func list(accountID: Int64) async throws -> [Token] {
        try await database.read { db in
            let sql =
                "SELECT id, account_id, scopes, application, created_at FROM token WHERE account_id = ? ORDER BY id"
            return try Row.fetchAll(db, sql: sql, arguments: [accountID]).map { row in
                let words = (row[2] as String).split(separator: " ").map(String.init)
                return Token(
                    id: row[0], accountID: row[1], scopes: Scopes(words: words), application: row[3], createdAt: row[4])
            }
        }
    }

    /// - Returns: Whether there was such a token.
    package func revoke(id: Int64) async throws -> Bool {
        try await revoke(where: "id = ?", argument: id)
    }

    /// - Returns: Whether there was such a token.
    package func revoke(hash: [UInt8]) async throws -> Bool {
        try await revoke(where: "hash = ?", argument: Data(hash))
    }

    private func revoke(where condition: String, argument: some DatabaseValueConvertible & Sendable) async throws
        -> Bool
    {
        let now = database.surroundings.now()
        return try await database.commits.write { db in
            let sql = "DELETE FROM token WHERE \(condition) RETURNING id, account_id"
            guard let row = try Row.fetchAll(db, sql: sql, arguments: [argument]).first else { return false }
            try db.log(.tokenRevoked, subject: row[0], account: row[1], at: now)
            return true
        }
    }
}
