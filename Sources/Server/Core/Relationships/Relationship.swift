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
