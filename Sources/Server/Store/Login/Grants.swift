package import FeedCore

/// Issues authorization codes, access tokens and refresh tokens to applications (RFC 6749).
///
/// Access tokens do not expire. The scope `offline_access` adds a refresh token; using it replaces both tokens.
package struct Grants: Sendable {
    /// Newly issued secrets, which cannot be retrieved later.
    package struct IssuedToken: Sendable {
        package let access: String
        package let refresh: String?
        package let scopes: ScopeSet
    }

    private let store: GrantStore
    private let clock: WallClock

    package init(store: GrantStore, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Issues an authorization code.
    /// - Parameter proof: The stored password hash against which the password was verified, if any.
    /// - Returns: The code; only its hash is stored.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    package func code(
        for account: Account, proof: String? = nil, application: ClientApplication, redirectURI: String,
        scopes: ScopeSet, challenge: String?
    ) async throws -> String {
        let code = Secret.randomText()
        try await store.insert(
            AuthorizationCode(
                applicationID: application.id, accountID: account.id, redirectURI: redirectURI, scopes: scopes,
                challenge: challenge, createdAt: clock.now()), hash: Secret.hash(code), proof: proof)
        return code
    }

    /// Exchanges an authorization code for a token (RFC 6749 §4.1.3).
    /// - Returns: `nil` if the code is unknown, expired, used, issued to another application, or if the redirect URI or
    ///   the code verifier does not match.
    package func redeem(
        _ code: String, by application: ClientApplication, redirectURI: String?, verifier: String?
    ) async throws -> IssuedToken? {
        let secrets = Secrets()
        let now = clock.now()
        let granted = try await store.redeem(
            hash: Secret.hash(code), for: secrets.hashes, application: application
        ) { $0.verdict(applicationID: application.id, redirectURI: redirectURI, verifier: verifier, now: now) }
        return granted.map { secrets.issued($0.scopes) }
    }

    /// Issues a token without an authorization code.
    /// - Parameters:
    ///   - accountID: The account the token authenticates; `nil` for an application without a user.
    ///   - proof: The stored password hash against which the password was verified, if any.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    package func token(
        for accountID: Int64?, proof: String? = nil, scopes: ScopeSet, application: ClientApplication
    ) async throws -> IssuedToken {
        let secrets = Secrets()
        try await store.insert(
            secrets.hashes, accountID: accountID, scopes: scopes, application: application, proof: proof)
        return secrets.issued(scopes)
    }

    /// Exchanges a refresh token for a new pair of tokens (RFC 6749 §6).
    /// - Returns: `nil` if the refresh token is unknown, used, or was issued to another application.
    package func refresh(_ secret: String, by application: ClientApplication) async throws -> IssuedToken? {
        let secrets = Secrets()
        let scopes = try await store.refresh(
            hash: Secret.hash(secret), by: secrets.hashes, applicationID: application.id)
        return scopes.map(secrets.issued)
    }

    /// Revokes an access token, given that token or its refresh token (RFC 7009). An unknown token is ignored.
    /// - Parameter application: The application that requests the revocation; `nil` if the token itself is sufficient.
    /// - Throws: ``FeedError`` `.forbidden` if the token was issued to another application.
    package func revoke(_ secret: String, by application: ClientApplication?) async throws {
        try await store.revoke(hash: Secret.hash(secret), applicationID: application?.id)
    }

    private struct Secrets {
        let access = Secret.randomText()
        let refresh = Secret.randomText()

        var hashes: TokenHashes {
            TokenHashes(access: Secret.hash(access), refresh: Secret.hash(refresh))
        }

        func issued(_ scopes: ScopeSet) -> IssuedToken {
            IssuedToken(access: access, refresh: scopes.includeOfflineAccess ? refresh : nil, scopes: scopes)
        }
    }
}

/// The hashes of an access token and its refresh token.
package struct TokenHashes: Sendable {
    package let access: [UInt8]
    package let refresh: [UInt8]

    package init(access: [UInt8], refresh: [UInt8]) {
        self.access = access
        self.refresh = refresh
    }
}
