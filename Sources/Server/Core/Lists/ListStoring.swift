/// Stores lists of accounts. A list is visible only to its owner.
package protocol ListStoring: Sendable {
    /// The lists of an account, oldest first.
    func lists(of owner: Int64) async throws -> [AccountList]
    /// The lists of an account that contain another account, oldest first.
    func lists(of owner: Int64, containing account: Int64) async throws -> [AccountList]
    /// - Returns: `nil` if there is no such list, or it belongs to another account.
    func list(_ id: Int64, of owner: Int64) async throws -> AccountList?
    /// Creates a list. Without other values, its replies policy is `list`, and it is not exclusive.
    /// - Throws: ``FeedError`` `.invalid` according to ``ListRule``; `.forbidden` for a removed account.
    func create(_ draft: ListDraft, by owner: Int64) async throws -> AccountList
    /// Changes a list.
    /// - Throws: ``FeedError`` `.notFound`, `.invalid`.
    func update(_ id: Int64, of owner: Int64, _ draft: ListDraft) async throws -> AccountList
    /// - Throws: ``FeedError`` `.notFound`.
    func delete(_ id: Int64, of owner: Int64) async throws
    /// Adds all accounts, or none.
    /// - Throws: ``FeedError`` `.notFound` for an unknown list or an account that the owner does not follow; `.invalid`
    ///   according to ``ListRule``.
    func add(_ accounts: [Int64], to id: Int64, of owner: Int64) async throws
    /// Removes accounts. Ignores accounts that are not members.
    /// - Throws: ``FeedError`` `.notFound` for an unknown list.
    func remove(_ accounts: [Int64], from id: Int64, of owner: Int64) async throws
    /// The visible members of a list, newest account first; paged by account id.
    func members(of id: Int64, page: Pagination) async throws -> [Account]
    /// The ids of all members of a list.
    func memberIDs(of id: Int64) async throws -> Set<Int64>
}
