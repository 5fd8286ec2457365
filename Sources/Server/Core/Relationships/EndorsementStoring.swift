/// Stores which accounts an account shows on its profile.
package protocol EndorsementStoring: Sendable {
    /// Endorses an account. Idempotent.
    /// - Throws: ``FeedError`` `.notFound`; `.invalid` unless `account` follows the target.
    func endorse(_ target: Int64, by account: Int64) async throws
    func unendorse(_ target: Int64, by account: Int64) async throws
    /// The endorsed accounts, the latest endorsement first.
    /// - Parameter viewer: For whom they are listed; blocked and muted accounts are left out of lists of others.
    func endorsements(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [EndorsedAccount]
}

/// An account in a list of endorsed accounts.
package struct EndorsedAccount: Sendable, Equatable {
    /// The id of the endorsement, by which the list is paged.
    package var id: Int64
    package var account: Account

    package init(id: Int64, account: Account) {
        self.id = id
        self.account = account
    }
}

/// Stores private notes about accounts.
package protocol AccountNoteStoring: Sendable {
    /// Replaces the note about an account; an empty one deletes it.
    /// - Throws: ``FeedError`` `.notFound`; `.invalid` if the note is too long.
    func note(_ text: String, about target: Int64, by account: Int64) async throws
}

/// The rule for private notes about accounts.
package enum AccountNote {
    /// The maximum length in characters, which can have any number of bytes, and in bytes.
    package static let characters = 2000
    package static let bytes = 10_000

    /// - Throws: ``FeedError`` `.invalid`.
    package static func check(_ text: String) throws(FeedError) {
        guard text.utf8.count <= bytes, text.count <= characters else {
            throw .invalid("Comment is longer than \(characters) characters or \(bytes) bytes")
        }
    }
}
