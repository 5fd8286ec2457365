package import FeedCore
import Foundation

/// Stores access tokens in the database.
package struct TokenStore: TokenStoring {
    /// Thrown for an unknown token to keep it out of the cache: creating a token does not change the log and would
    /// therefore not invalidate the cached value.
    private struct Unknown: Error {}

    /// The maximum number of tokens per query.
    static let tokensPerQuery = 500

    let database: FeedDatabase
    let use: TokenUse
    /// The holders of recently used tokens, because applications send the same token with every request.
    private let known: ChangeLogCache<[UInt8], TokenHolder>

    package init(_ database: FeedDatabase) {
        self.database = database
        use = TokenUse(since: database.clock.now())
        known = ChangeLogCache(log: database.log, limit: database.caches[.tokens], name: "tokens")
    }

    package func insert(hash: [UInt8], accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws
        -> Int64
    {
        let now = database.clock.now()
        let row = TokenRow(hash: hash, accountID: accountID, scopes: scopes, application: application)
        return try await database.commits.write { try row.insert(into: $0, at: now) }
    }

    package func holder(hash: [UInt8]) async throws -> TokenHolder? {
        do {
            let holder = try await known.value(for: hash, cost: \.cost) { [self] in
                guard let holder = try await find(hash: hash) else { throw Unknown() }
                return (holder, holder.dependencies)
            }
            recordUse(of: hash, by: holder)
            return holder
        } catch is Unknown {
            return nil
        }
    }

    package func cachedHolder(hash: [UInt8]) -> TokenHolder? {
        guard let holder = known.cached(hash, countsHit: true) else { return nil }
        recordUse(of: hash, by: holder)
        return holder
    }

    private func recordUse(of hash: [UInt8], by holder: TokenHolder) {
        if case .application = holder { use.record(hash) }
    }

    private func find(hash: [UInt8]) async throws -> TokenHolder? {
        try await database.read { db in
            let token = try db.cachedStatement(
                sql: """
                    SELECT t.account_id, t.scopes, t.application, a.website
                    FROM token t LEFT JOIN application a ON a.id = t.application_id WHERE t.hash = ?
                    """)
            guard let row = try Row.fetchOne(token, arguments: [Data(hash)]) else { return nil }
            let scopes = Scopes(stored: row[1])
            guard let id = row[0] as Int64? else { return .application(scopes) }
            guard let account = try AccountStore.find(db, id: id) else { return nil }
            guard account.suspendedAt == nil else {
                return try RegistrationStore.isPending(id, in: db) ? .pending(scopes) : .suspended(scopes)
            }
            return .account(Viewer(account: account, scopes: scopes, application: row[2], website: row[3]))
        }
    }

    package func valid(among hashes: Set<[UInt8]>) async throws -> [[UInt8]: Int64?] {
        var found: [[UInt8]: Int64?] = [:]
        for some in Array(hashes).chunks(of: Self.tokensPerQuery) {
            let query: SQL = """
                SELECT t.hash, t.account_id FROM token t LEFT JOIN account a ON a.id = t.account_id
                WHERE t.hash IN \(list: some.map { Data($0) })
                AND (t.account_id IS NULL OR (\(sql: AccountRow.visible)))
                """
            // Not kept by the connection, because the text depends on the number of tokens.
            let rows = try await database.read {
                try Row.fetchAll($0, sql: query.text, arguments: SQLArguments(query.values))
            }
            for row in rows { found.updateValue(row[1] as Int64?, forKey: Array(row[0] as Data)) }
        }
        return found
    }

    /// The tokens of an account, oldest first.
    package func list(accountID: Int64) async throws -> [Token] {
        try await database.read { db in
            let sql =
                "SELECT id, account_id, scopes, application, created_at FROM token WHERE account_id = ? ORDER BY id"
            return try Row.fetchAll(db, sql: sql, arguments: [accountID]).map { row in
                Token(
                    id: row[0], accountID: row[1], scopes: Scopes(stored: row[2]), application: row[3],
                    createdAt: row[4])
            }
        }
    }

    /// - Returns: Whether the token existed.
    package func revoke(id: Int64) async throws -> Bool {
        try await revoke(where: "id = ?", argument: id)
    }

    /// - Returns: Whether the token existed.
    package func revoke(hash: [UInt8]) async throws -> Bool {
        try await revoke(where: "hash = ?", argument: Data(hash))
    }

    private func revoke(where condition: String, argument: some SQLBindable & Sendable) async throws
        -> Bool
    {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let sql = "DELETE FROM token WHERE \(condition) RETURNING id, account_id"
            guard let row = try Row.fetchAll(db, sql: sql, arguments: [argument]).first else { return false }
            try db.log(.tokenRevoked, subject: row[0], account: row[1], at: now)
            return true
        }
    }
}

extension TokenHolder {
    /// The changes after which the token must be read again.
    fileprivate var dependencies: ChangeDependencies {
        var dependencies = ChangeDependencies()
        switch self {
        case .account(let viewer): dependencies.login = .account(viewer.account.id)
        case .application: dependencies.login = .application
        case .suspended, .pending: dependencies = .anything
        }
        return dependencies
    }

    /// The approximate memory in bytes, with that of the entry in the cache.
    fileprivate var cost: Int {
        guard case .account(let viewer) = self else { return Self.overhead }
        return Self.overhead + viewer.account.cost + viewer.application.utf8.count
            + (viewer.website?.utf8.count ?? 0)
    }

    private static var overhead: Int { 512 }
}
