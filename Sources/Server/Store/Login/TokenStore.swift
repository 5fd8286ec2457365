package import FeedCore
import Foundation
import Synchronization

/// Stores access tokens in the database; only their hashes are stored.
package struct TokenStore: Sendable {
    /// Thrown for an unknown token to keep it out of the cache: creating a token does not change the log and would
    /// therefore not invalidate the cached value.
    private struct Unknown: Error {}

    /// The maximum number of tokens per query.
    static let tokensPerQuery = 500

    private let database: FeedDatabase
    private let use: TokenUse
    /// The holders of recently used tokens, because applications send the same token with every request.
    private let holders: ChangeLogCache<[UInt8], TokenHolder>

    package init(_ database: FeedDatabase) {
        self.database = database
        use = TokenUse(since: database.clock.now())
        holders = ChangeLogCache(log: database.log, limit: database.caches[.tokens], name: "tokens")
    }

    /// Stores a token.
    /// - Parameter accountID: The account the token authenticates; `nil` for an application without a user.
    /// - Returns: The token's id.
    package func insert(hash: [UInt8], accountID: Int64?, scopes: ScopeSet, application: ClientApplication) async throws
        -> Int64
    {
        let now = database.clock.now()
        let row = TokenRow(hash: hash, accountID: accountID, scopes: scopes, application: application)
        return try await database.commits.write { try row.insert(into: $0, at: now) }
    }

    /// - Returns: The holder of the token, or `nil` if the token is unknown or revoked.
    package func holder(hash: [UInt8]) async throws -> TokenHolder? {
        do {
            let holder = try await holders.value(for: hash, cost: \.cost) { [self] in
                guard let holder = try await find(hash: hash) else { throw Unknown() }
                return (holder, holder.dependencies)
            }
            recordUse(of: hash, by: holder)
            return holder
        } catch is Unknown {
            return nil
        }
    }

    /// The holder of a token that was used recently, if it is known without a query. Counts as a use of the token.
    package func cachedHolder(hash: [UInt8]) -> TokenHolder? {
        guard let holder = holders.cached(hash, countsHit: true) else { return nil }
        recordUse(of: hash, by: holder)
        return holder
    }

    private func recordUse(of hash: [UInt8], by holder: TokenHolder) {
        if case .application = holder { use.record(hash) }
    }

    private func find(hash: [UInt8]) async throws -> TokenHolder? {
        try await database.read { db in
            let token: SQL = """
                SELECT t.account_id, t.scopes, t.application, a.website, t.application_id
                FROM token t LEFT JOIN application a ON a.id = t.application_id WHERE t.hash = \(Data(hash))
                """
            guard let row = try db.fetchOne(token) else { return nil }
            let scopes = try ScopeSet(stored: row[1])
            guard let id = try row[0] as Int64? else { return .application(scopes) }
            guard let account = try AccountStore.find(db, id: id) else { return nil }
            guard account.suspendedAt == nil else {
                return try RegistrationStore.isPending(id, in: db) ? .pending(scopes) : .suspended(scopes)
            }
            let application: String = try row[2]
            // Registered applications can have any name.
            let isSession = try row[4] as Int64? == nil && application == ClientApplication.pages.name
            return .account(
                Viewer(
                    account: account, scopes: scopes, application: application, website: try row[3],
                    isSession: isSession))
        }
    }

    /// The tokens that are valid, with the accounts that they authenticate; `nil` for an application without a user. Tokens
    /// that are unknown or revoked, or whose account may not log in, are left out. Does not count as a use of the tokens.
    package func valid(among hashes: Set<[UInt8]>) async throws -> [[UInt8]: Int64?] {
        var accounts: [[UInt8]: Int64?] = [:]
        for some in Array(hashes).chunks(of: Self.tokensPerQuery) {
            var query: SQL = """
                SELECT t.hash, t.account_id FROM token t LEFT JOIN account a ON a.id = t.account_id
                WHERE t.hash IN \(list: some.map { Data($0) })
                AND (t.account_id IS NULL OR (\(sql: AccountRow.visible)))
                """
            // The text depends on the number of tokens.
            query.isReused = false
            let rows = try await database.read { [query] in try $0.fetchAll(query) }
            for row in rows { try accounts.updateValue(row[1] as Int64?, forKey: Array(row[0] as Data)) }
        }
        return accounts
    }

    /// The tokens of an account, oldest first.
    package func list(accountID: Int64) async throws -> [AccessToken] {
        let query: SQL = "\(AccessToken.selection) WHERE t.account_id = \(accountID) ORDER BY t.id"
        return try await database.read { try $0.fetchAll(query).map(AccessToken.init) }
    }

    /// A page of the tokens of an account, newest first.
    package func list(accountID: Int64, page: Pagination) async throws -> [AccessToken] {
        let query: SQL = """
            \(AccessToken.selection) WHERE t.account_id = \(accountID) AND \(page.bounds(on: "t.id"))
            ORDER BY t.id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try AccessToken($0) }
    }

    /// A token of an account.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such token.
    package func token(_ id: Int64, of accountID: Int64) async throws -> AccessToken {
        let query: SQL = "\(AccessToken.selection) WHERE t.id = \(id) AND t.account_id = \(accountID)"
        guard let row = try await database.read({ try $0.fetchOne(query).map(AccessToken.init) }) else {
            throw FeedError.notFound
        }
        return row
    }

    /// The id of a token; `nil` if it is unknown or revoked.
    package func id(hash: [UInt8]) async throws -> Int64? {
        try await database.read { try $0.fetchOne("SELECT id FROM token WHERE hash = \(Data(hash))", as: Int64.self) }
    }

    /// Revokes a token.
    /// - Returns: Whether the token existed.
    package func revoke(id: Int64) async throws -> Bool {
        try await revoke(where: "id = \(id)")
    }

    /// Revokes a token.
    /// - Returns: Whether the token existed.
    package func revoke(hash: [UInt8]) async throws -> Bool {
        try await revoke(where: "hash = \(Data(hash))")
    }

    private func revoke(where condition: SQL) async throws -> Bool {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try GrantStore.revoke(db, where: condition, at: now) > 0
        }
    }
}

extension TokenHolder {
    /// The changes after which the token must be read again.
    fileprivate var dependencies: CacheInvalidation {
        var dependencies = CacheInvalidation()
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

extension AccessToken {
    /// The columns of ``init(_:)``.
    fileprivate static var selection: SQL {
        """
        SELECT t.id, t.account_id, t.scopes, t.application, a.website, t.created_at
        FROM token t LEFT JOIN application a ON a.id = t.application_id
        """
    }

    fileprivate init(_ row: Row) throws {
        try self.init(
            id: row[0], accountID: row[1], scopes: ScopeSet(stored: row[2]), application: row[3], website: row[4],
            createdAt: row[5])
    }
}

extension TokenStore {
    /// The time in milliseconds after which an application's own token expires if it is not used.
    private static let unusedTokenLifetime: Int64 = 30 * 86_400_000
    /// The time in milliseconds for which the server must have been running before it deletes unused tokens, because
    /// tokens could not be used while it was down.
    private static let minimumUptime: Int64 = 86_400_000
    /// The time in milliseconds within which an account must authorize a new application.
    private static let ungrantedApplicationLifetime: Int64 = 86_400_000
    /// The number of rows deleted per transaction.
    private static let batch = 500

    /// Deletes applications' own tokens that were not used for 30 days, then applications older than a day that have
    /// neither a token nor a code and that no account ever authorized. Mastodon broke several apps by removing
    /// registrations in use (mastodon/mastodon#27740).
    package func sweep() async throws {
        try await recordUse()
        while try await removeUnusedTokens() == Self.batch {}
        while try await removeUnusedApplications() == Self.batch {}
    }

    /// Records the use of tokens. Clients cannot observe it, so it is not logged in the change log.
    package func recordUse() async throws {
        let now = database.clock.now()
        for some in use.drain().chunks(of: Self.batch) {
            try await database.commits.write { db in
                for hash in some {
                    try db.execute(
                        "UPDATE token SET used_at = \(now) WHERE hash = \(Data(hash)) AND account_id IS NULL")
                }
            }
        }
    }

    private func removeUnusedTokens() async throws -> Int {
        let now = database.clock.now()
        guard now - use.since >= Self.minimumUptime else { return 0 }
        let limit = now - Self.unusedTokenLifetime
        let unused: SQL = """
            SELECT id FROM token WHERE account_id IS NULL AND coalesce(used_at, created_at) < \(limit) LIMIT \(Self.batch)
            """
        return try await writeIfAny(unused) { db in
            try GrantStore.revoke(db, where: "id IN (\(unused))", at: now)
        }
    }

    private func removeUnusedApplications() async throws -> Int {
        let limit = database.clock.now() - Self.ungrantedApplicationLifetime
        let unused: SQL = """
            SELECT a.id FROM application a WHERE a.granted = 0 AND a.created_at < \(limit)
            AND NOT EXISTS (SELECT 1 FROM token t WHERE t.application_id = a.id)
            AND NOT EXISTS (SELECT 1 FROM authorization_code c WHERE c.application_id = a.id) LIMIT \(Self.batch)
            """
        return try await writeIfAny(unused) { db in
            try db.execute("DELETE FROM application WHERE id IN (\(unused))")
            return try db.changesCount
        }
    }

    /// Writes only if there is something to delete, because an unnecessary transaction would cost an fsync.
    private func writeIfAny(
        _ query: SQL, _ remove: @escaping @Sendable (Database) throws -> Int
    ) async throws -> Int {
        let isDue = try await database.read { try $0.fetchOne(query) != nil }
        return isDue ? try await database.commits.write(remove) : 0
    }
}

/// The applications' own tokens used since the last sweep. Kept in memory: a write per request would cost more than the
/// response, and losing an hour of use in a crash is harmless, since tokens expire after 30 days.
private final class TokenUse: Sendable {
    /// The maximum number of recorded tokens. Exceeding it only delays the recording of other tokens by a sweep or two.
    private static let limit = 10_000

    /// The start of the recording, in milliseconds since 1970.
    let since: Int64
    private let hashes = Mutex<Set<[UInt8]>>([])

    init(since: Int64) { self.since = since }

    func record(_ hash: [UInt8]) {
        hashes.withLock { if $0.count < Self.limit { _ = $0.insert(hash) } }
    }

    /// Returns the recorded hashes and clears them.
    func drain() -> [[UInt8]] {
        hashes.withLock { noted in
            defer { noted = [] }
            return Array(noted)
        }
    }
}
