import Crypto
import Foundation

/// Creates, resolves and revokes access tokens. A token is 32 random bytes; only its SHA-256 hash is stored.
package struct AccessTokens: Sendable {
    /// The lengths that a token may have in bytes.
    private static let lengths = 20...200

    private let store: any TokenStoring

    package init(store: any TokenStoring) { self.store = store }

    /// Creates a token and returns its secret, which cannot be retrieved later.
    /// - Parameter accountID: The account the token authenticates; `nil` for an application without a user.
    package func create(for accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws -> String {
        let secret = Self.randomText()
        _ = try await store.insert(
            hash: Self.hash(secret), accountID: accountID, scopes: scopes, application: application)
        return secret
    }

    /// The holder of a token, or `nil` if the token is unknown or revoked.
    package func holder(_ secret: String) async throws -> TokenHolder? {
        guard Self.lengths.contains(secret.utf8.count) else { return nil }
        return try await store.holder(hash: Self.hash(secret))
    }

    /// The holder of a token if it is known without a query; `nil` does not tell whether the token is valid.
    package func cachedHolder(hash: [UInt8]) -> TokenHolder? { store.cachedHolder(hash: hash) }

    /// Revokes a token. An unknown token is ignored.
    package func revoke(_ secret: String) async throws {
        _ = try await store.revoke(hash: Self.hash(secret))
    }

    /// The SHA-256 hash of a secret.
    package static func hash(_ secret: String) -> [UInt8] {
        var (secret, hash) = (secret, SHA256())
        secret.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return Array(hash.finalize())
    }

    /// 32 random bytes as 43 base64url characters, which need no escaping in URLs, headers and HTML.
    package static func randomText() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64URL.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}

/// Stores access tokens; only their hashes are stored.
package protocol TokenStoring: Sendable {
    /// Stores a token.
    /// - Parameter accountID: The account the token authenticates; `nil` for an application without a user.
    /// - Returns: The token's id.
    func insert(hash: [UInt8], accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws -> Int64
    /// - Returns: The holder of the token, or `nil` if the token is unknown or revoked.
    func holder(hash: [UInt8]) async throws -> TokenHolder?
    /// The tokens that are valid, with the accounts that they authenticate; `nil` for an application without a user. Tokens
    /// that are unknown or revoked, or whose account may not log in, are left out. Does not count as a use of the tokens.
    func valid(among hashes: Set<[UInt8]>) async throws -> [[UInt8]: Int64?]
    /// The holder of a token that was used recently, if it is known without a query. Counts as a use of the token.
    func cachedHolder(hash: [UInt8]) -> TokenHolder?
    /// Revokes a token.
    /// - Returns: Whether the token existed.
    func revoke(hash: [UInt8]) async throws -> Bool
    /// Removes tokens and applications that have not been used for a long time.
    func sweep() async throws
    /// Records the use of applications' own tokens that this server has seen since the last call.
    func recordUse() async throws
}
