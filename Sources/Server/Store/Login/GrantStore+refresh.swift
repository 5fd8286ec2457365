package import FeedCore
import Foundation

extension GrantStore {
    /// The number of used refresh tokens kept per token.
    private static let maximumUsedRefreshTokens = 20

    /// Using a refresh token replaces it and its access token; using it again revokes the token (RFC 9700 §4.14.2).
    package func refresh(hash: [UInt8], by token: TokenHashes, applicationID: Int64) async throws -> Scopes? {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let sql = """
                SELECT t.id, t.application_id, t.scopes, t.account_id, r.used FROM refresh_token r
                JOIN token t ON t.id = r.token_id LEFT JOIN account a ON a.id = t.account_id
                WHERE r.hash = ? AND a.suspended_at IS NULL
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [Data(hash)]), row[1] as Int64? == applicationID
            else {
                return nil
            }
            let id: Int64 = row[0]
            guard row[4] == 0 else {
                try Self.revoke(db, where: "id = ?", id, at: now)
                return nil
            }
            try Self.rotate(db, id, used: hash, by: token, at: now)
            try db.log(.tokenRevoked, subject: id, account: row[3], at: now)
            return Scopes(stored: row[2])
        }
    }

    static func insertRefresh(_ hash: [UInt8], of token: Int64, into db: Database, at now: Int64) throws {
        try db.execute(
            sql: "INSERT INTO refresh_token (hash, token_id, created_at) VALUES (?, ?, ?)",
            arguments: [Data(hash), token, now])
    }

    private static func rotate(_ db: Database, _ id: Int64, used: [UInt8], by token: TokenHashes, at now: Int64) throws
    {
        try db.execute(sql: "UPDATE token SET hash = ? WHERE id = ?", arguments: [Data(token.access), id])
        try db.execute(sql: "UPDATE refresh_token SET used = 1 WHERE hash = ?", arguments: [Data(used)])
        try insertRefresh(token.refresh, of: id, into: db, at: now)
        try db.execute(
            sql: """
                DELETE FROM refresh_token WHERE hash IN
                (SELECT hash FROM refresh_token WHERE token_id = ? AND used = 1 ORDER BY created_at DESC LIMIT 1000000 OFFSET ?)
                """, arguments: [id, maximumUsedRefreshTokens])
    }
}

extension Scopes {
    /// Reads a stored column.
    init(stored text: String) {
        self.init(names: text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
    }
}
