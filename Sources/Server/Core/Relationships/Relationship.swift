/// The relationship between a viewer and another account, from the viewer's point of view.
package struct Relationship: Sendable, Equatable {
    /// The id of the other account.
    package var id: Int64
    /// The options of the follow if the viewer follows the account.
    package var following: FollowOptions?
    /// The options of the viewer's pending request to follow the account.
    package var requested: FollowOptions?
    /// Whether the account follows the viewer.
    package var isFollowed = false
    /// Whether the account has a pending request to follow the viewer.
    package var isRequested = false
    /// Whether the viewer blocks the account.
    package var isBlocking = false
    /// Whether the account blocks the viewer.
    package var isBlocked = false
    /// The viewer's mute of the account.
    package var mute: Mute?

    /// Whether the viewer shows the account on its own profile.
    package var isEndorsed = false
    /// The viewer's private note about the account.
    package var note = ""

    package init(id: Int64) { self.id = id }
}

/// An active mute.
package struct Mute: Sendable, Equatable {
    /// Whether notifications are hidden as well as statuses.
    package var hidesNotifications: Bool
    /// Milliseconds since 1970, UTC; `nil` if the mute does not expire.
    package var expiresAt: Int64?

    package init(hidesNotifications: Bool = true, expiresAt: Int64? = nil) {
        self.hidesNotifications = hidesNotifications
        self.expiresAt = expiresAt
    }
}

/// An account in a list of muted accounts.
package struct MutedAccount: Sendable, Equatable {
    package var account: Account
    package var mute: Mute

    package init(account: Account, mute: Mute) {
        self.account = account
        self.mute = mute
    }
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
