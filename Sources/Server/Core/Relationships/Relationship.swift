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
