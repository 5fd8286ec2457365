/// What people allowed programs: codes on their way to becoming tokens, tokens, and what renews them. Only hashes of
/// secrets are stored.
package protocol GrantStoring: Sendable {
    /// - Parameter proof: The password hash the account showed to know; with another one now nothing is stored.
    /// - Throws: ``FeedError`` `.unauthorized` then.
    func insert(_ code: AuthorizationCode, hash: [UInt8], proof: String?) async throws
    /// Trades a code for a token, all in one transaction; a code that comes twice takes its token with it.
    /// - Parameter verdict: Decides, after it has seen the code.
    /// - Returns: What the code stood for, or `nil` when there is no such code or it is refused.
    func redeem(
        hash: [UInt8], for token: TokenHashes, application: ClientApplication,
        _ verdict: @escaping @Sendable (AuthorizationCode) -> AuthorizationCode.Verdict
    ) async throws -> AuthorizationCode?
    /// Stores a token, and what renews it if its scopes ask for that.
    /// - Parameter proof: As for a code.
    func insert(
        _ token: TokenHashes, accountID: Int64?, scopes: Scopes, application: ClientApplication, proof: String?
    ) async throws
    /// Replaces a token and what renews it by fresh ones; an old refresh token that comes again takes the token with it.
    /// - Returns: The token's scopes, or `nil` when the refresh token is unknown, used, or another program's.
    func refresh(hash: [UInt8], by token: TokenHashes, applicationID: Int64) async throws -> Scopes?
    /// Makes a token void, by its own secret or by the one that renews it.
    /// - Parameter applicationID: The program that asks; `nil` when it is the holder.
    /// - Throws: ``FeedError`` `.forbidden` when the token was issued to another program.
    func revoke(hash: [UInt8], applicationID: Int64?) async throws
}

/// Hashes of the two secrets a program is given.
package struct TokenHashes: Sendable {
    package let access: [UInt8]
    package let refresh: [UInt8]

    package init(access: [UInt8], refresh: [UInt8]) {
        self.access = access
        self.refresh = refresh
    }
}
