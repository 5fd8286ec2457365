/// Stores accounts.
package protocol AccountStoring: Sendable {
    func account(id: Int64) async throws -> Account?
    /// The accounts with the given ids, in the given order, without unknown and suspended ones.
    func accounts(ids: [Int64]) async throws -> [Account]
    /// The account with the given username, ignoring case.
    func account(named username: String) async throws -> Account?
    /// The account with the given email address, ignoring case; `nil` if several accounts have it.
    func account(email: String) async throws -> Account?
    /// Whether an account has the given email address.
    func hasAccount(email: String) async throws -> Bool
    /// Existing accounts, keyed by lowercase username.
    /// - Parameter usernames: Usernames in lowercase.
    func accounts(named usernames: Set<String>) async throws -> [String: Status.Mention]
    /// Whether the account awaits the operator's approval. It is then suspended, too.
    func isPending(_ id: Int64) async throws -> Bool
    /// The stored password hash, or `nil` if the account is unknown or has no password.
    func password(of id: Int64) async throws -> String?
    /// Sets the password hash and revokes all access tokens, refresh tokens and pending authorization codes.
    /// - Returns: The number of revoked logins.
    @discardableResult
    func setPassword(_ hash: String, of id: Int64) async throws -> Int
    /// Applies `edit` to the profile and the posting defaults. Unlocking an account accepts pending follow requests.
    /// - Parameter freesSpace: Whether `edit` only removes data, which works on a full disk, too.
    /// - Throws: ``FeedError`` `.notFound`, and any error thrown by `edit`.
    func update(
        _ id: Int64, freesSpace: Bool, _ edit: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account
    /// The total number of accounts and statuses.
    func counts() async throws -> (accounts: Int, statuses: Int)
    /// The number of accounts that have posted since `time` (milliseconds since 1970).
    func countActive(since time: Int64) async throws -> Int
}

extension AccountStoring {
    package func update(
        _ id: Int64, _ edit: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account {
        try await update(id, freesSpace: false, edit)
    }
}
