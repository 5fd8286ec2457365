/// Reads relationships between accounts.
package protocol RelationshipStoring: Sendable {
    /// The relationships to `accounts`, in the given order, without unknown and suspended accounts.
    func relationships(of viewer: Int64, to accounts: [Int64]) async throws -> [Relationship]
}

/// Stores blocks.
package protocol BlockStoring: Sendable {
    /// Blocks an account and removes the follows and follow requests between the two. Idempotent.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same.
    func block(_ target: Int64, by account: Int64) async throws
    func unblock(_ target: Int64, by account: Int64) async throws
    /// The blocked accounts, newest account first; paged by account id.
    func blocks(of account: Int64, page: Pagination) async throws -> [Account]
}

/// Stores mutes. Expired mutes are ignored.
package protocol MuteStoring: Sendable {
    /// Mutes an account or replaces an existing mute.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same.
    func mute(_ target: Int64, by account: Int64, _ mute: Mute) async throws
    func unmute(_ target: Int64, by account: Int64) async throws
    /// The muted accounts, newest account first; paged by account id.
    func mutes(of account: Int64, page: Pagination) async throws -> [MutedAccount]
}
