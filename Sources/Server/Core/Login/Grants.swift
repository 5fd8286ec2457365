/// Issues authorization codes, access tokens and refresh tokens to applications (RFC 6749).
///
/// Access tokens do not expire. The scope `offline_access` adds a refresh token; using it replaces both tokens.
package struct Grants: Sendable {
    /// Newly issued secrets, which cannot be retrieved later.
    package struct IssuedToken: Sendable {
        package let access: String
        package let refresh: String?
        package let scopes: Scopes
    }

    private let store: any GrantStoring
    private let clock: WallClock

    package init(store: any GrantStoring, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Issues an authorization code.
    /// - Parameter proof: The stored password hash against which the password was verified, if any.
    /// - Returns: The code; only its hash is stored.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    package func code(
        for account: Account, proof: String? = nil, application: ClientApplication, redirectURI: String, scopes: Scopes,
        challenge: String?
    ) async throws -> String {
        let code = AccessTokens.randomText()
        try await store.insert(
            AuthorizationCode(
                applicationID: application.id, accountID: account.id, redirectURI: redirectURI, scopes: scopes,
                challenge: challenge, createdAt: clock.now()), hash: AccessTokens.hash(code), proof: proof)
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
            hash: AccessTokens.hash(code), for: secrets.hashes, application: application
        ) { $0.verdict(applicationID: application.id, redirectURI: redirectURI, verifier: verifier, now: now) }
        return granted.map { secrets.issued($0.scopes) }
    }

    /// Issues a token without an authorization code.
    /// - Parameters:
    ///   - accountID: The account the token authenticates; `nil` for an application without a user.
    ///   - proof: The stored password hash against which the password was verified, if any.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    package func token(
        for accountID: Int64?, proof: String? = nil, scopes: Scopes, application: ClientApplication
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
            hash: AccessTokens.hash(secret), by: secrets.hashes, applicationID: application.id)
        return scopes.map(secrets.issued)
    }

    /// Revokes an access token, given that token or its refresh token (RFC 7009). An unknown token is ignored.
    /// - Parameter application: The application that requests the revocation; `nil` if the token itself is sufficient.
    /// - Throws: ``FeedError`` `.forbidden` if the token was issued to another application.
    package func revoke(_ secret: String, by application: ClientApplication?) async throws {
        try await store.revoke(hash: AccessTokens.hash(secret), applicationID: application?.id)
    }

    private struct Secrets {
        let access = AccessTokens.randomText()
        let refresh = AccessTokens.randomText()

        var hashes: TokenHashes {
            TokenHashes(access: AccessTokens.hash(access), refresh: AccessTokens.hash(refresh))
        }

        func issued(_ scopes: Scopes) -> IssuedToken {
            IssuedToken(access: access, refresh: scopes.includeOfflineAccess ? refresh : nil, scopes: scopes)
        }
    }
}

/// Stores OAuth grants: authorization codes, access tokens and refresh tokens. Only hashes of secrets are stored.
package protocol GrantStoring: Sendable {
    /// Stores an authorization code.
    /// - Parameter proof: The stored password hash against which the password was verified.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    func insert(_ code: AuthorizationCode, hash: [UInt8], proof: String?) async throws
    /// Exchanges a code for a token in one transaction. A replayed code revokes the token issued for it.
    /// - Parameter verdict: Decides whether the stored code may be exchanged.
    /// - Returns: The code, or `nil` if it is unknown, refused or replayed.
    func redeem(
        hash: [UInt8], for token: TokenHashes, application: ClientApplication,
        _ verdict: @escaping @Sendable (AuthorizationCode) -> AuthorizationCode.Verdict
    ) async throws -> AuthorizationCode?
    /// Stores an access token, and a refresh token if the scopes include `offline_access`.
    /// - Parameter proof: The stored password hash against which the password was verified, if any.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    func insert(
        _ token: TokenHashes, accountID: Int64?, scopes: Scopes, application: ClientApplication, proof: String?
    ) async throws
    /// Replaces an access token and its refresh token. A replayed refresh token revokes the current token.
    /// - Returns: The token's scopes; `nil` if the refresh token is unknown, used, or belongs to another application.
    func refresh(hash: [UInt8], by token: TokenHashes, applicationID: Int64) async throws -> Scopes?
    /// Revokes an access token, given the hash of that token or of its refresh token (RFC 7009).
    /// - Parameter applicationID: The application that requests the revocation; `nil` if the token itself suffices.
    /// - Throws: ``FeedError`` `.forbidden` if the token was issued to another application.
    func revoke(hash: [UInt8], applicationID: Int64?) async throws
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
