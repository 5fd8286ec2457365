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
