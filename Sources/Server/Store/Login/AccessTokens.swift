package import FeedCore

/// Creates, resolves and revokes access tokens. A token is a ``Secret``.
package struct AccessTokens: Sendable {
    /// The lengths that a token may have in bytes.
    private static let lengths = 20...200

    private let store: TokenStore

    package init(store: TokenStore) { self.store = store }

    /// Creates a token and returns its secret, which cannot be retrieved later.
    /// - Parameter accountID: The account the token authenticates; `nil` for an application without a user.
    package func create(for accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws -> String {
        let secret = Secret.randomText()
        _ = try await store.insert(
            hash: Secret.hash(secret), accountID: accountID, scopes: scopes, application: application)
        return secret
    }

    /// The holder of a token, or `nil` if the token is unknown or revoked.
    package func holder(_ secret: String) async throws -> TokenHolder? {
        guard Self.lengths.contains(secret.utf8.count) else { return nil }
        return try await store.holder(hash: Secret.hash(secret))
    }

    /// The holder of a token if it is known without a query; `nil` does not tell whether the token is valid.
    package func cachedHolder(hash: [UInt8]) -> TokenHolder? { store.cachedHolder(hash: hash) }

    /// Revokes a token. An unknown token is ignored.
    package func revoke(_ secret: String) async throws {
        _ = try await store.revoke(hash: Secret.hash(secret))
    }
}
