/// Access tokens; only their hashes are stored.
package protocol TokenStoring: Sendable {
    /// - Parameter accountID: Whom it stands for; `nil` for a program that speaks for nobody.
    /// - Returns: The token's id.
    func insert(hash: [UInt8], accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws -> Int64
    /// - Returns: Who the token stands for, or `nil` when it is unknown, revoked or its account suspended.
    func holder(hash: [UInt8]) async throws -> TokenHolder?
    /// - Returns: Whether there was such a token.
    func revoke(hash: [UInt8]) async throws -> Bool
    /// Removes tokens and applications nobody has used for long.
    func sweep() async throws
}
