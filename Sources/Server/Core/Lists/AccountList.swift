/// A list of accounts, whose statuses its owner reads in a timeline of their own.
package struct AccountList: Sendable, Equatable {
    /// The replies to other accounts that the timeline of a list contains. The raw values are stored and used in JSON.
    package enum RepliesPolicy: String, Sendable, CaseIterable {
        /// None.
        case none
        /// Those to members of the list.
        case list
        /// Those to all accounts that the owner follows.
        case followed
    }

    package var id: Int64
    /// The account whose list this is.
    package var ownerID: Int64
    package var title: String
    package var repliesPolicy: RepliesPolicy
    /// Whether the home timeline leaves out the members.
    package var isExclusive: Bool

    package init(id: Int64, ownerID: Int64, title: String, repliesPolicy: RepliesPolicy, isExclusive: Bool) {
        self.id = id
        self.ownerID = ownerID
        self.title = title
        self.repliesPolicy = repliesPolicy
        self.isExclusive = isExclusive
    }
}

/// The requested properties of a list; `nil` keeps a property, or its default if the list is new.
package struct ListDraft: Sendable, Equatable {
    package var title: String?
    package var repliesPolicy: AccountList.RepliesPolicy?
    package var isExclusive: Bool?

    package init(title: String? = nil, repliesPolicy: AccountList.RepliesPolicy? = nil, isExclusive: Bool? = nil) {
        self.title = title
        self.repliesPolicy = repliesPolicy
        self.isExclusive = isExclusive
    }

    /// The list with the requested properties.
    package func applied(to list: AccountList) -> AccountList {
        var list = list
        list.title = title ?? list.title
        list.repliesPolicy = repliesPolicy ?? list.repliesPolicy
        list.isExclusive = isExclusive ?? list.isExclusive
        return list
    }
}

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
