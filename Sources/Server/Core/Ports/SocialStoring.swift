// What accounts do with each other, and what they are told of it. As in `Storing.swift`, FeedStore has the implementation.

/// Who follows whom, and who asks to.
package protocol FollowStoring: Sendable {
    /// Follows, or asks to when the account is locked. Doing it again only changes what `wish` names.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for oneself and when one of the two blocks the other.
    func follow(_ followee: Int64, by follower: Int64, _ wish: FollowWish) async throws
    /// Ends a follow, or takes a request back.
    func unfollow(_ followee: Int64, by follower: Int64) async throws
    /// Makes `follower` follow `followee` no longer; a request stays.
    func removeFollower(_ follower: Int64, from followee: Int64) async throws
    /// - Throws: ``FeedError`` `.notFound` when there is no such request.
    func accept(_ follower: Int64, by followee: Int64) async throws
    /// - Throws: ``FeedError`` `.notFound` when there is no such request.
    func reject(_ follower: Int64, by followee: Int64) async throws
    /// Who asks to follow, the newest request first; pages go by the request's id.
    func requests(to followee: Int64, page: Page) async throws -> [FollowRequest]
    func requestsCount(to followee: Int64) async throws -> Int
    /// Who follows the account, the newest account first; pages go by account id. Empty for whom the account blocks.
    func followers(of account: Int64, page: Page, for viewer: Int64?) async throws -> [Account]
    /// Whom the account follows, the newest account first; pages go by account id. Empty for whom the account blocks.
    func following(of account: Int64, page: Page, for viewer: Int64?) async throws -> [Account]
}

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
    func blocks(of account: Int64, page: Page) async throws -> [Account]
}

/// Who mutes whom. A mute that has ended counts as none.
package protocol MuteStoring: Sendable {
    /// Mutes, or changes the mute that is there.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for oneself.
    func mute(_ target: Int64, by account: Int64, _ mute: Mute) async throws
    func unmute(_ target: Int64, by account: Int64) async throws
    /// The newest account first; pages go by account id.
    func mutes(of account: Int64, page: Page) async throws -> [MutedAccount]
}

/// What accounts are told of.
package protocol NotificationStoring: Sendable {
    func notifications(of account: Int64, page: Page, _ filter: NotificationFilter) async throws -> ListPage<
        Notification
    >
    /// - Returns: The notification, if it is one of `account`'s and may still be shown.
    func notification(id: Int64, of account: Int64) async throws -> Notification?
    /// How many came after the marker `notifications`, counted up to `limit`.
    func unread(of account: Int64, limit: Int) async throws -> Int
    /// - Returns: Whether there was such a notification.
    func dismiss(id: Int64, of account: Int64) async throws -> Bool
    /// Removes all there are.
    func clear(of account: Int64) async throws
}

/// Which notifications are asked for.
package struct NotificationFilter: Sendable {
    package var kinds: Set<Notification.Kind>
    /// Only what this account did.
    package var from: Int64?

    package init(kinds: Set<Notification.Kind> = Set(Notification.Kind.allCases), from: Int64? = nil) {
        self.kinds = kinds
        self.from = from
    }
}

/// How far accounts have read.
package protocol MarkerStoring: Sendable {
    func markers(of account: Int64, _ timelines: Set<Marker.Timeline>) async throws -> [Marker]
    /// Moves markers, also backwards; all or none.
    /// - Returns: Those that were named.
    func move(_ positions: [Marker.Timeline: Int64], of account: Int64) async throws -> [Marker]
}

/// Finding by name.
package protocol SearchStoring: Sendable {
    /// The account whose name it is, then those whose name begins with it, then those whose display name contains it.
    /// - Parameter follower: Only accounts this one follows.
    func accounts(matching text: String, limit: Int, offset: Int, followedBy follower: Int64?) async throws -> [Account]
    /// Hashtags of public statuses that begin with `text`, in the order of the alphabet, lower case.
    func tags(beginningWith text: String, limit: Int, offset: Int) async throws -> [String]
}
