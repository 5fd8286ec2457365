package import FeedCore
import Foundation

/// Authenticates requests by their access tokens, which it also creates and revokes. A token is a ``Secret``.
package struct Authentication: Sendable {
    /// The lengths that a token may have in bytes.
    private static let lengths = 20...200

    private let store: TokenStore

    package init(store: TokenStore) { self.store = store }

    /// Creates a token and returns its secret, which cannot be retrieved later.
    /// - Parameter accountID: The account the token authenticates; `nil` for an application without a user.
    package func create(for accountID: Int64?, scopes: ScopeSet, application: ClientApplication) async throws -> String
    {
        let secret = Secret.randomText()
        _ = try await store.insert(
            hash: Secret.hash(secret), accountID: accountID, scopes: scopes, application: application)
        return secret
    }

    /// The holder of a token, or `nil` if the token is unknown or revoked.
    package func holder(_ secret: String) async throws -> TokenHolder? {
        guard let hash = Self.hash(secret) else { return nil }
        return try await store.holder(hash: hash)
    }

    /// The holder of a token if it is known without a query; `nil` does not tell whether the token is valid.
    package func cachedHolder(_ secret: String) -> TokenHolder? {
        Self.hash(secret).flatMap { store.cachedHolder(hash: $0) }
    }

    /// - Returns: `nil` if the text cannot be a token.
    private static func hash(_ secret: String) -> [UInt8]? {
        lengths.contains(secret.utf8.count) ? Secret.hash(secret) : nil
    }

    /// Revokes a token. An unknown token is ignored.
    package func revoke(_ secret: String) async throws {
        _ = try await store.revoke(hash: Secret.hash(secret))
    }
}

/// A new row of `token`.
struct TokenRow: Sendable {
    /// SHA-256 of the secret.
    var hash: [UInt8]
    /// SHA-256 of the refresh token; `nil` for a token without one.
    var refreshHash: [UInt8]?
    var accountID: Int64?
    var scopes: ScopeSet
    var application: ClientApplication
    /// SHA-256 of the authorization code for which the token was issued.
    var codeHash: [UInt8]?

    /// - Returns: The token's id.
    @discardableResult
    func insert(into db: Database, at now: Int64) throws -> Int64 {
        let id = try db.nextID(now: now)
        try db.execute(
            """
            INSERT INTO token (id, hash, account_id, application_id, scopes, application, code_hash, created_at)
            VALUES (\(id), \(Data(hash)), \(accountID), \(application.id == 0 ? nil : application.id),
            \(scopes.formatted), \(application.name), \(codeHash.map { Data($0) }), \(now))
            """)
        if accountID != nil {
            try db.execute("UPDATE application SET granted = 1 WHERE id = \(application.id)")
        }
        if let refreshHash { try GrantStore.insertRefresh(refreshHash, of: id, into: db, at: now) }
        return id
    }
}
