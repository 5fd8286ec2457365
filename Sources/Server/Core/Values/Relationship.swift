/// How a follow is to work.
package struct FollowOptions: Sendable, Equatable {
    /// Whether what the followed one boosts is shown at home.
    package var showsReblogs: Bool
    /// Whether the follower is told of each new status.
    package var notifies: Bool

    package init(showsReblogs: Bool = true, notifies: Bool = false) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
    }
}

/// What somebody asks for who follows; what is left out stays as it is.
package struct FollowWish: Sendable {
    package var showsReblogs: Bool?
    package var notifies: Bool?

    package init(showsReblogs: Bool? = nil, notifies: Bool? = nil) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
    }

    package func applied(to options: FollowOptions = FollowOptions()) -> FollowOptions {
        FollowOptions(
            showsReblogs: showsReblogs ?? options.showsReblogs, notifies: notifies ?? options.notifies)
    }
}

/// A mute in force.
package struct Mute: Sendable, Equatable {
    /// Whether notifications are hidden as well as statuses.
    package var hidesNotifications: Bool
    /// Milliseconds since 1970; `nil` for ever.
    package var expiresAt: Int64?

    package init(hidesNotifications: Bool = true, expiresAt: Int64? = nil) {
        self.hidesNotifications = hidesNotifications
        self.expiresAt = expiresAt
    }
}

/// How two accounts stand to each other, seen from one of them.
package struct Relationship: Sendable, Equatable {
    /// The other account.
    package var id: Int64
    /// Set when the viewer follows the account.
    package var following: FollowOptions?
    /// Set when the viewer asked to follow the account and has no answer yet.
    package var requested: FollowOptions?
    package var isFollowed = false
    /// Whether the account asked to follow the viewer.
    package var isRequested = false
    package var isBlocking = false
    package var isBlocked = false
    package var mute: Mute?

    package init(id: Int64) { self.id = id }
}

/// An account in a list of mutes.
package struct MutedAccount: Sendable, Equatable {
    package var account: Account
    package var mute: Mute

    package init(account: Account, mute: Mute) {
        self.account = account
        self.mute = mute
    }
}

/// Somebody who asks to follow. The id is the request's, given when it was made.
package struct FollowRequest: Sendable, Equatable {
    package var id: Int64
    package var account: Account

    package init(id: Int64, account: Account) {
        self.id = id
        self.account = account
    }
}
