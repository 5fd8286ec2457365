/// Accounts.
package protocol AccountStoring: Sendable {
    /// - Throws: ``FeedError`` `.conflict` when the name is taken in any letter case.
    func create(_ account: NewAccount) async throws -> Account
    func account(id: Int64) async throws -> Account?
    /// Those of `ids` that exist and are not suspended, in that order.
    func accounts(ids: [Int64]) async throws -> [Account]
    /// By user name, in any letter case.
    func account(named username: String) async throws -> Account?
    /// By the address for the operator, in any letter case; `nil` also when several have it.
    func account(email: String) async throws -> Account?
    /// Whether anybody has that address.
    func hasAccount(email: String) async throws -> Bool
    /// The ids of those of `usernames` (lower case) that exist, with the name as written.
    func accounts(named usernames: Set<String>) async throws -> [String: Status.Mention]
    func password(of id: Int64) async throws -> String?
    /// Sets a password and ends all logins made with the one before: tokens, what renews them, codes not traded yet.
    /// - Returns: How many logins ended.
    @discardableResult
    func setPassword(_ hash: String, of id: Int64) async throws -> Int
    /// Changes the profile and what new statuses have by default, as `edit` says; all else in the account stays. An
    /// account that is no longer locked accepts all who asked to follow it.
    /// - Throws: ``FeedError`` `.notFound`, and what `edit` throws.
    func update(_ id: Int64, _ edit: @escaping @Sendable (inout Account) throws -> Void) async throws -> Account
    func counts() async throws -> (accounts: Int, statuses: Int)
    /// How many have posted after `time` (milliseconds since 1970).
    func countActive(since time: Int64) async throws -> Int
}
