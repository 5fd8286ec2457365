/// How accounts stand to each other.
package protocol RelationshipStoring: Sendable {
    /// In the order of `accounts`; unknown and suspended ones are left out.
    func relationships(of viewer: Int64, to accounts: [Int64]) async throws -> [Relationship]
}

/// Who blocks whom.
package protocol BlockStoring: Sendable {
    /// Blocks, and ends what was between the two. Blocking twice is blocking once.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for oneself.
    func block(_ target: Int64, by account: Int64) async throws
    func unblock(_ target: Int64, by account: Int64) async throws
    /// The newest account first; pages go by account id.
    func blocks(of account: Int64, page: Pagination) async throws -> [Account]
}

/// Who mutes whom. A mute that has ended counts as none.
package protocol MuteStoring: Sendable {
    /// Mutes, or changes the mute that is there.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for oneself.
    func mute(_ target: Int64, by account: Int64, _ mute: Mute) async throws
    func unmute(_ target: Int64, by account: Int64) async throws
    /// The newest account first; pages go by account id.
    func mutes(of account: Int64, page: Pagination) async throws -> [MutedAccount]
}
