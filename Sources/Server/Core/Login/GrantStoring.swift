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
