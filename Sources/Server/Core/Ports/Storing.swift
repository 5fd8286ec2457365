// What the rules need from storage, by meaning. FeedStore has the implementation for SQLite.

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

/// Statuses and the timelines made of them.
package protocol StatusStoring: Sendable {
    func insert(_ status: PreparedStatus) async throws -> Status
    /// - Returns: The status, if it exists and `viewer` may see it.
    func status(id: Int64, for viewer: Int64?) async throws -> Status?
    func timeline(_ timeline: Timeline, page: Page, for viewer: Int64?) async throws -> ListPage<Status>
    /// Those of `ids` that exist and `viewer` may see, in that order.
    func statuses(ids: [Int64], for viewer: Int64?) async throws -> [Status]
    /// Deletes a status or a boost of `author`.
    /// - Returns: What it was (``Status/withheld`` when the boosted status may not be seen any more), or `nil` when that
    ///   account has no such status.
    func delete(id: Int64, by author: Int64) async throws -> Status?
    /// Replaces text, content warning, language and sensitivity; what was is kept in the history.
    /// - Throws: ``FeedError`` `.notFound` unless it is the author's.
    func edit(id: Int64, to status: PreparedStatus) async throws -> Status
    /// The oldest version first, the present one last; `nil` when the viewer may not see the status.
    func history(of id: Int64, for viewer: Int64?) async throws -> (status: Status, edits: [StatusEdit])?
    func context(of id: Int64, for viewer: Int64?) async throws -> StatusContext?
    /// Sets or takes away a mark; doing it twice is doing it once. A mark can be taken away from a status that may not be
    /// seen any more; what is returned then is ``Status/withheld``.
    /// - Throws: ``FeedError`` `.notFound` for a status the account may not see, `.invalid` for one it may not pin.
    func set(_ mark: StatusMark, _ isSet: Bool, on id: Int64, by account: Int64) async throws -> Status
    /// Boosts once; again gives the boost that is there.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for what may not be spread.
    func boost(_ id: Int64, visibility: Visibility?, by account: Int64) async throws -> Status
    /// Takes a boost back, also of a status that may not be seen any more; what is returned then is ``Status/withheld``.
    /// - Throws: ``FeedError`` `.notFound` for a status that may not be seen and is not boosted by the account.
    func unboost(_ id: Int64, by account: Int64) async throws -> Status
    /// Who favourited a status, the newest account first, or boosted it, the last one first; `nil` when the viewer may not
    /// see the status.
    func reactions(
        _ relation: StatusRelation, of id: Int64, page: Page, for viewer: Int64?
    ) async throws -> [StatusReaction]?
}

/// What accounts can have done with a status, for everybody to see.
package enum StatusRelation: Sendable { case favourited, boosted }

/// Somebody who did something with a status.
package struct StatusReaction: Sendable, Equatable {
    /// By what the list is paged: the account's id, or that of the boost.
    package let pageID: Int64
    package let account: Account

    package init(pageID: Int64, account: Account) {
        self.pageID = pageID
        self.account = account
    }
}

/// Which statuses a timeline holds; the newest first.
package enum Timeline: Sendable, Equatable {
    /// Public statuses of everybody.
    case everyone
    /// Statuses of those an account follows, and its own.
    case home(Int64)
    /// One account's statuses, as far as the viewer may see them.
    case account(Int64, AccountFilter = AccountFilter())
    /// Public statuses with any, all and none of some hashtags.
    case tags(TagFilter)
    /// What an account favourited, bookmarked or pinned, the last one first.
    case marked(StatusMark, by: Int64)
    /// Everything the viewer may see, boosts left out: the classic dialect's list.
    case classic
}

extension Timeline {
    /// Public statuses with one hashtag.
    package static func tag(_ tag: String) -> Timeline { .tags(TagFilter(any: [tag])) }
}

/// Which of an account's statuses are wanted.
package struct AccountFilter: Sendable, Equatable {
    package var excludesReplies = false
    package var excludesBoosts = false
    package var onlyMedia = false
    package var onlyPinned = false
    /// Lower case, without `#`.
    package var tag: String?

    package init() {}
}

/// Hashtags in lower case, without `#`.
package struct TagFilter: Sendable, Equatable {
    /// One of these; never empty.
    package var any: [String]
    package var all: [String]
    package var none: [String]

    package init(any: [String], all: [String] = [], none: [String] = []) {
        self.any = any
        self.all = all
        self.none = none
    }
}

/// Access tokens; only their hashes are stored.
package protocol TokenStoring: Sendable {
    /// - Parameter accountID: Whom it stands for; `nil` for a program that speaks for nobody.
    /// - Returns: The token's id.
    func insert(hash: [UInt8], accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws -> Int64
    /// - Returns: Who the token stands for, or `nil` when it is unknown, revoked or its account suspended.
    func holder(hash: [UInt8]) async throws -> TokenHolder?
    /// - Returns: Whether there was such a token.
    func revoke(hash: [UInt8]) async throws -> Bool
}

/// Programs that registered themselves (OAuth 2 clients); of their secrets only the hashes are stored.
package protocol ApplicationStoring: Sendable {
    func register(_ application: ClientApplication, secretHash: [UInt8]) async throws -> ClientApplication
    /// - Returns: The program, when the secret is the right one.
    func application(clientID: String, secretHash: [UInt8]) async throws -> ClientApplication?
    func application(clientID: String) async throws -> ClientApplication?
    /// The program a token was issued to; one of this machine has the id 0.
    func application(ofToken hash: [UInt8]) async throws -> ClientApplication?
}

/// Names of stored files; the bytes are in a ``BlobStoring``.
package protocol FileStoring: Sendable {
    func file(named name: String) async throws -> StoredFile?
    /// Stores or replaces, as `decide` says after it has seen what is there, all in one transaction.
    /// - Parameter quota: Bytes the owner may have in all.
    /// - Returns: Whether the name is new.
    /// - Throws: ``FeedError`` `.quota`, and what `decide` throws.
    func put(
        _ file: StoredFile, quota: Int64?, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void
    ) async throws -> Bool
    /// Stores under the names, or under `name-2.ext`, `name-3.ext` … where they are taken; all or none.
    /// - Parameter quota: Bytes the owner may have in all.
    /// - Throws: ``FeedError`` `.quota`.
    func add(_ files: [StoredFile], quota: Int64?) async throws -> [StoredFile]
    /// Removes the name when `decide` does not object; the bytes go with the next `gc`.
    /// - Returns: Whether there was such a file.
    func delete(named name: String, _ decide: @escaping @Sendable (StoredFile) throws -> Void) async throws -> Bool
    /// Bytes of all files of an account.
    func bytes(of account: Int64) async throws -> Int64
    /// An account's files in the order of their names, after the name `after`.
    func files(of account: Int64, after: String?, limit: Int) async throws -> [StoredFile]
}

/// Where the bytes of files are.
package protocol BlobStoring: Sendable {
    /// The path of a blob's bytes.
    func path(_ hash: String) -> String
}

/// The order in which things happened.
package protocol ChangeLog: Sendable {
    /// The newest sequence number and the folder's epoch.
    func position() async throws -> ChangePosition
    /// Rows after `sequence`, oldest first.
    func changes(after sequence: Int64, limit: Int) async throws -> [Change]
}

/// A point in the change log.
package struct ChangePosition: Sendable, Equatable {
    package let epoch: String
    package let sequence: Int64

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}
