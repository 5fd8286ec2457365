package import FeedCore
import Foundation

/// Stores OAuth grants in the database: authorization codes, access tokens and refresh tokens. Only hashes of secrets
/// are stored.
package struct GrantStore: Sendable {
    /// The time in milliseconds for which a code is kept, whether used or not, so that a replay is recognized.
    private static let codeRetention: Int64 = 86_400_000

    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Stores an authorization code.
    /// - Parameter proof: The stored password hash against which the password was verified.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    package func insert(_ code: AuthorizationCode, hash: [UInt8], proof: String?) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try Self.require(proof, of: code.accountID, in: db)
            try db.execute("DELETE FROM authorization_code WHERE created_at < \(now - Self.codeRetention)")
            try db.execute(
                """
                INSERT INTO authorization_code
                (hash, application_id, account_id, redirect_uri, scopes, challenge, created_at)
                VALUES (\(Data(hash)), \(code.applicationID), \(code.accountID), \(code.redirectURI),
                \(code.scopes.formatted), \(code.challenge), \(code.createdAt))
                """)
        }
    }

    /// Exchanges a code for a token in one transaction. A replayed code revokes the token issued for it.
    /// - Parameter verdict: Decides whether the stored code may be exchanged.
    /// - Returns: The code, or `nil` if it is unknown, refused or replayed.
    package func redeem(
        hash: [UInt8], for token: TokenHashes, application: ClientApplication,
        _ verdict: @escaping @Sendable (AuthorizationCode) -> AuthorizationCode.Verdict
    ) async throws -> AuthorizationCode? {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let code = try Self.code(db, hash) else { return nil }
            switch verdict(code) {
            case .refused: return nil
            case .replayed:
                try Self.revoke(db, where: "code_hash = \(Data(hash))", at: now)
                return nil
            case .granted:
                try db.execute("UPDATE authorization_code SET used = 1 WHERE hash = \(Data(hash))")
                let row = Self.row(token, code.accountID, code.scopes, application, code: hash)
                try row.insert(into: db, at: now)
                return code
            }
        }
    }

    /// Stores an access token, and a refresh token if the scopes include `offline_access`.
    /// - Parameter proof: The stored password hash against which the password was verified, if any.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    package func insert(
        _ token: TokenHashes, accountID: Int64?, scopes: ScopeSet, application: ClientApplication, proof: String?
    ) async throws {
        let now = database.clock.now()
        let row = Self.row(token, accountID, scopes, application)
        try await database.commits.write { db in
            if let accountID { try Self.require(proof, of: accountID, in: db) }
            try row.insert(into: db, at: now)
        }
    }

    private static func row(
        _ hashes: TokenHashes, _ accountID: Int64?, _ scopes: ScopeSet, _ application: ClientApplication,
        code: [UInt8]? = nil
    ) -> TokenRow {
        TokenRow(
            hash: hashes.access, refreshHash: scopes.includeOfflineAccess ? hashes.refresh : nil, accountID: accountID,
            scopes: scopes, application: application, codeHash: code)
    }

    /// Rejects a login with an old password, because a new password ends all logins, including those in progress.
    static func require(_ proof: String?, of account: Int64, in db: Database) throws {
        guard let proof else { return }
        let sql: SQL = "SELECT 1 FROM account WHERE id = \(account) AND password = \(proof) AND suspended_at IS NULL"
        guard try db.fetchOne(sql, as: Int.self) == nil else { return }
        throw FeedError(.unauthorized, "The password has just been changed", hint: "Log in with the new one.")
    }

    /// Revokes an access token, given the hash of that token or of its refresh token (RFC 7009).
    /// - Parameter applicationID: The application that requests the revocation; `nil` if the token itself suffices.
    /// - Throws: ``FeedError`` `.forbidden` if the token was issued to another application.
    package func revoke(hash: [UInt8], applicationID: Int64?) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            let sql: SQL = """
                SELECT id, application_id FROM token
                WHERE hash = \(Data(hash)) OR id = (SELECT token_id FROM refresh_token WHERE hash = \(Data(hash)))
                """
            guard let row = try db.fetchOne(sql) else { return }
            guard try applicationID == nil || applicationID == row[1] else {
                throw FeedError(.forbidden, "You are not authorized to revoke this token")
            }
            try Self.revoke(db, where: "id = \(row[0] as Int64)", at: now)
        }
    }

    private static func code(_ db: Database, _ hash: [UInt8]) throws -> AuthorizationCode? {
        let sql: SQL = """
            SELECT c.application_id, c.account_id, c.redirect_uri, c.scopes, c.challenge, c.created_at, c.used
            FROM authorization_code c JOIN account a ON a.id = c.account_id
            WHERE c.hash = \(Data(hash)) AND a.suspended_at IS NULL
            """
        return try db.fetchOne(sql).map { row in
            try AuthorizationCode(
                applicationID: row[0], accountID: row[1], redirectURI: row[2], scopes: ScopeSet(stored: row[3]),
                challenge: row[4], createdAt: row[5], isUsed: row[6])
        }
    }

    /// Deletes tokens with their refresh tokens, and logs each in the change log.
    /// - Returns: The number of deleted tokens.
    @discardableResult
    static func revoke(_ db: Database, where condition: SQL, at now: Int64) throws -> Int {
        let rows = try db.fetchAll("DELETE FROM token WHERE \(condition) RETURNING id, account_id")
        for row in rows { try db.log(.tokenRevoked, subject: row[0], account: row[1], at: now) }
        return rows.count
    }

    /// Ends all logins of an account, including those whose code has not been redeemed, and links that set a password.
    /// - Parameter kept: The hash of the only token that remains; `nil` for none.
    /// - Returns: The number of revoked tokens.
    static func revokeAll(_ db: Database, of account: Int64, except kept: [UInt8]? = nil, at now: Int64) throws -> Int {
        try db.execute("DELETE FROM authorization_code WHERE account_id = \(account)")
        try db.execute("DELETE FROM password_reset WHERE account_id = \(account)")
        guard let kept else { return try revoke(db, where: "account_id = \(account)", at: now) }
        return try revoke(db, where: "account_id = \(account) AND hash <> \(Data(kept))", at: now)
    }
}

extension GrantStore {
    /// The number of used refresh tokens kept per token.
    private static let maximumUsedRefreshTokens = 20

    /// Using a refresh token replaces it and its access token; using it again revokes the token (RFC 9700 §4.14.2).
    /// - Returns: The token's scopes; `nil` if the refresh token is unknown, used, or belongs to another application.
    package func refresh(hash: [UInt8], by token: TokenHashes, applicationID: Int64) async throws -> ScopeSet? {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let sql: SQL = """
                SELECT t.id, t.application_id, t.scopes, t.account_id, r.used FROM refresh_token r
                JOIN token t ON t.id = r.token_id LEFT JOIN account a ON a.id = t.account_id
                WHERE r.hash = \(Data(hash)) AND a.suspended_at IS NULL
                """
            guard let row = try db.fetchOne(sql), try row[1] as Int64? == applicationID else { return nil }
            let id: Int64 = try row[0]
            guard try !row[4] else {
                try Self.revoke(db, where: "id = \(id)", at: now)
                return nil
            }
            try Self.rotate(db, id, used: hash, by: token, at: now)
            try db.log(.tokenRevoked, subject: id, account: row[3], at: now)
            return try ScopeSet(stored: row[2])
        }
    }

    static func insertRefresh(_ hash: [UInt8], of token: Int64, into db: Database, at now: Int64) throws {
        try db.execute(
            "INSERT INTO refresh_token (hash, token_id, created_at) VALUES (\(Data(hash)), \(token), \(now))")
    }

    private static func rotate(_ db: Database, _ id: Int64, used: [UInt8], by token: TokenHashes, at now: Int64) throws
    {
        try db.execute("UPDATE token SET hash = \(Data(token.access)) WHERE id = \(id)")
        try db.execute("UPDATE refresh_token SET used = 1 WHERE hash = \(Data(used))")
        try insertRefresh(token.refresh, of: id, into: db, at: now)
        try db.execute(
            """
            DELETE FROM refresh_token WHERE hash IN
            (SELECT hash FROM refresh_token WHERE token_id = \(id) AND used = 1
            ORDER BY created_at DESC LIMIT 1000000 OFFSET \(maximumUsedRefreshTokens))
            """)
    }
}

extension Database {
    /// Sets the password of an account and ends its logins.
    /// - Parameter kept: The hash of the only token that remains; `nil` for none.
    /// - Returns: The number of revoked tokens.
    @discardableResult
    func setPassword(_ hash: String, of account: Int64, keeping kept: [UInt8]? = nil, at now: Int64) throws -> Int {
        try execute("UPDATE account SET password = \(hash) WHERE id = \(account)")
        try log(.passwordChanged, subject: account, account: account, at: now)
        return try GrantStore.revokeAll(self, of: account, except: kept, at: now)
    }
}

extension ScopeSet {
    /// Reads a stored column.
    init(stored text: String) {
        self.init(names: text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
    }
}
