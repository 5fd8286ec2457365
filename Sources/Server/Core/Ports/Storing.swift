// What the rules need from storage, by meaning. FeedStore has the implementation for SQLite.

/// Accounts and who follows whom.
package protocol AccountStoring: Sendable {
    /// - Throws: ``FeedError`` `.conflict` when the name is taken in any letter case.
    func create(_ account: NewAccount) async throws -> Account
    func account(id: Int64) async throws -> Account?
    /// By user name, in any letter case.
    func account(named username: String) async throws -> Account?
    /// The ids of those of `usernames` (lower case) that exist, with the name as written.
    func accounts(named usernames: Set<String>) async throws -> [String: Status.Mention]
    func password(of id: Int64) async throws -> String?
    func setPassword(_ hash: String, of id: Int64) async throws
    func counts() async throws -> (accounts: Int, statuses: Int)
}

/// Statuses and the timelines made of them.
package protocol StatusStoring: Sendable {
    func insert(_ status: PreparedStatus) async throws -> Status
    /// - Returns: The status, if it exists and `viewer` may see it.
    func status(id: Int64, for viewer: Int64?) async throws -> Status?
    func timeline(_ timeline: Timeline, page: Page, for viewer: Int64?) async throws -> [Status]
}

/// Which statuses a timeline holds; the newest first.
package enum Timeline: Sendable, Equatable {
    /// Public statuses of everybody.
    case everyone
    /// One account's statuses, as far as the viewer may see them.
    case account(Int64)
    /// Public statuses with a hashtag (lower case, without `#`).
    case tag(String)
    /// Everything the viewer may see, boosts left out: the classic dialect's list.
    case classic
}

/// Access tokens; only their hashes are stored.
package protocol TokenStoring: Sendable {
    /// - Returns: The token's id.
    func insert(hash: [UInt8], accountID: Int64, scopes: Scopes, application: String) async throws -> Int64
    /// - Returns: Who the token stands for, or `nil` when it is unknown, revoked or its account suspended.
    func viewer(hash: [UInt8]) async throws -> Viewer?
}

/// Names of stored files; the bytes are in a ``BlobStoring``.
package protocol FileStoring: Sendable {
    func file(named name: String) async throws -> StoredFile?
    /// Stores or replaces, as `decide` says after it has seen what is there, all in one transaction.
    /// - Returns: What was stored and whether the name is new.
    func put(_ file: StoredFile, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void) async throws
        -> Bool
    /// Stores under the name, or under `name-2.ext`, `name-3.ext` … when it is taken.
    func add(_ file: StoredFile) async throws -> StoredFile
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
