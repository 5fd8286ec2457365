import Crypto

/// An access token without its secret, which is not stored.
package struct AccessToken: Sendable, Equatable {
    package var id: Int64
    package var accountID: Int64?
    package var scopes: ScopeSet
    /// The name of the application the token was issued to.
    package var application: String
    /// The website of the application, if it is registered and has one.
    package var website: String?
    /// Milliseconds since 1970, UTC.
    package var createdAt: Int64

    package init(
        id: Int64, accountID: Int64?, scopes: ScopeSet, application: String, website: String? = nil, createdAt: Int64
    ) {
        self.id = id
        self.accountID = accountID
        self.scopes = scopes
        self.application = application
        self.website = website
        self.createdAt = createdAt
    }
}

/// The account or application a token authenticates.
package enum TokenHolder: Sendable {
    case account(Viewer)
    /// An application without a user, which may only read public content.
    case application(ScopeSet)
    /// A suspended account, which may only use endpoints that do not check tokens.
    case suspended(ScopeSet)
    /// An account that awaits approval, which may only use endpoints that do not check tokens.
    case pending(ScopeSet)
}

/// The authenticated account of a request, with the scopes of its token. Shared by all requests with the token.
package final class Viewer: Sendable {
    /// The profile is up to date, but the counts may be old: otherwise, each post would require reading its author again.
    package let account: Account
    package let scopes: ScopeSet
    /// The name of the application the token was issued to.
    package let application: String
    package let website: String?
    /// Whether the token is a session of the pages.
    package let isSession: Bool

    package init(
        account: Account, scopes: ScopeSet, application: String = "", website: String? = nil, isSession: Bool = false
    ) {
        self.account = account
        self.scopes = scopes
        self.application = application
        self.website = website
        self.isSession = isSession
    }
}

/// Texts that prove a permission, such as access tokens and authorization codes: 32 random bytes, of which only the SHA-256
/// hash is stored.
package enum Secret {
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
