/// One row of the change log: something that somebody can observe.
package struct Change: Sendable, Equatable {
    /// What happened. The raw values are stored.
    package enum Kind: String, Sendable {
        case statusCreated = "status.create"
        case statusEdited = "status.edit"
        case statusDeleted = "status.delete"
        case boosted = "boost"
        case unboosted = "unboost"
        case favourited = "favourite"
        case unfavourited = "unfavourite"
        case bookmarked = "bookmark"
        case unbookmarked = "unbookmark"
        case pinned = "pin"
        case unpinned = "unpin"
        case conversationMuted = "conversation.mute"
        case conversationUnmuted = "conversation.unmute"
        case mentioned = "mention"
        case followed = "follow"
        case unfollowed = "unfollow"
        case followRequested = "follow.request"
        case followRejected = "follow.reject"
        case blocked = "block"
        case unblocked = "unblock"
        case muted = "mute"
        case unmuted = "unmute"
        case notified = "notification"
        case notificationsDismissed = "notification.dismiss"
        case markerMoved = "marker"
        case accountCreated = "account.create"
        case accountUpdated = "account.update"
        case passwordChanged = "account.password"
        case tokenRevoked = "token.revoke"
        case filePut = "file.put"
        case fileDeleted = "file.delete"
        case imported = "import"
    }

    /// Ever growing within an epoch.
    package var sequence: Int64
    package var kind: Kind
    /// The status, account or token it is about.
    package var subject: Int64?
    /// The account it concerns: the author of a post, the one mentioned, the owner of a token.
    package var account: Int64?
    /// Milliseconds since 1970.
    package var at: Int64

    package init(sequence: Int64, kind: Kind, subject: Int64?, account: Int64?, at: Int64) {
        self.sequence = sequence
        self.kind = kind
        self.subject = subject
        self.account = account
        self.at = at
    }
}
