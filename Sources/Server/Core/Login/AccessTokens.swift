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

/// An access token without its secret, which is not stored.
package struct Token: Sendable, Equatable {
    package var id: Int64
    package var accountID: Int64?
    package var scopes: Scopes
    /// The name of the application the token was issued to.
    package var application: String
    /// Milliseconds since 1970, UTC.
    package var createdAt: Int64

    package init(id: Int64, accountID: Int64?, scopes: Scopes, application: String, createdAt: Int64) {
        self.id = id
        self.accountID = accountID
        self.scopes = scopes
        self.application = application
        self.createdAt = createdAt
    }
}

/// The account or application a token authenticates.
package enum TokenHolder: Sendable {
    case account(Viewer)
    /// An application without a user, which may only read public content.
    case application(Scopes)
    /// A suspended account, which may only use endpoints that do not check tokens.
    case suspended(Scopes)
    /// An account that awaits approval, which may only use endpoints that do not check tokens.
    case pending(Scopes)
}

/// The authenticated account of a request, with the scopes of its token. Shared by all requests with the token.
package final class Viewer: Sendable {
    /// The profile is up to date, but the counts may be old: otherwise, whoever posts would have to be read again.
    package let account: Account
    package let scopes: Scopes
    /// The name of the application the token was issued to.
    package let application: String
    package let website: String?

    package init(account: Account, scopes: Scopes, application: String = "", website: String? = nil) {
        self.account = account
        self.scopes = scopes
        self.application = application
        self.website = website
    }
}
