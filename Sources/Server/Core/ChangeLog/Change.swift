/// An entry of the change log: a change that clients can observe.
package struct Change: Sendable, Equatable {
    /// The kind of a change. The raw values are stored.
    package enum Kind: String, Sendable, CaseIterable {
        case statusCreated = "status.create"
        case statusEdited = "status.edit"
        case statusDeleted = "status.delete"
        case boosted = "boost"
        case unboosted = "unboost"
        /// The boosts of a deleted status were removed, which changed the counts of any number of accounts.
        case boostsRemoved = "boost.remove"
        case favourited = "favourite"
        case unfavourited = "unfavourite"
        case bookmarked = "bookmark"
        case unbookmarked = "unbookmark"
        case pinned = "pin"
        case unpinned = "unpin"
        case conversationMuted = "conversation.mute"
        case conversationUnmuted = "conversation.unmute"
        case conversationRead = "conversation.read"
        case conversationHidden = "conversation.hide"
        case mentioned = "mention"
        case followed = "follow"
        case unfollowed = "unfollow"
        case followRequested = "follow.request"
        case followRejected = "follow.reject"
        case blocked = "block"
        case unblocked = "unblock"
        case muted = "mute"
        case unmuted = "unmute"
        case endorsed = "endorse"
        case unendorsed = "unendorse"
        /// The private note of an account about another one changed.
        case accountNoted = "account.note"
        /// A filter of the account was added, changed or removed, or expired; the subject is the filter.
        case filterChanged = "filter"
        case notified = "notification"
        case notificationsDismissed = "notification.dismiss"
        case markerMoved = "marker"
        case accountCreated = "account.create"
        case accountUpdated = "account.update"
        case signUpRejected = "account.reject"
        case accountSuspended = "account.suspend"
        case accountUnsuspended = "account.unsuspend"
        case accountSilenced = "account.silence"
        case accountUnsilenced = "account.unsilence"
        case accountRemoved = "account.remove"
        case passwordChanged = "account.password"
        case tokenRevoked = "token.revoke"
        case reportCreated = "report.create"
        case reportUpdated = "report.update"
        case filePut = "file.put"
        case fileDeleted = "file.delete"
        /// An attached file changed; the subject is its status.
        case mediaUpdated = "media.update"
        /// The votes in a poll changed; the subject is its status.
        case pollVoted = "poll.vote"
        /// A poll was closed; the subject is its status.
        case pollClosed = "poll.close"
        /// A list was created, changed or deleted, or its members changed; the account is its owner.
        case listChanged = "list"
        case tagFollowed = "tag.follow"
        case tagUnfollowed = "tag.unfollow"
        case suggestionDismissed = "suggestion.dismiss"
        case tagFeatured = "tag.feature"
        case tagUnfeatured = "tag.unfeature"
        /// The custom emoji of a server changed, which any text may contain.
        case emojiChanged = "emoji"
        case imported = "import"
        /// A kind that a newer version has added.
        case unknown = ""
    }

    /// Strictly increasing within an epoch.
    package var sequence: Int64
    package var kind: Kind
    /// The id of the status, account, token, report or list that changed.
    package var subject: Int64?
    /// The id of the affected account: the author of a status, the mentioned account, or the owner of a token.
    package var account: Int64?
    /// The id of another status whose entity changed too: the boosted status, or the parent of a reply.
    package var related: Int64?
    /// The keys of the hashtags of a new, edited or deleted public status.
    package var tags: [String]
    /// The visibility of a deleted status or boost; `nil` if its author was suspended, for other changes and in rows of
    /// older versions.
    package var visibility: Visibility?
    /// The accounts that a deleted status mentioned, unless everyone could see it.
    package var mentions: [Int64]
    /// The time of the change, in milliseconds since 1970, UTC.
    package var at: Int64

    package init(
        sequence: Int64, kind: Kind, subject: Int64?, account: Int64?, related: Int64? = nil, tags: [String] = [],
        visibility: Visibility? = nil, mentions: [Int64] = [], at: Int64
    ) {
        self.sequence = sequence
        self.kind = kind
        self.subject = subject
        self.account = account
        self.related = related
        self.tags = tags
        self.visibility = visibility
        self.mentions = mentions
        self.at = at
    }
}

/// A page of an account's change feed: the changes that the account may see, oldest first.
package struct ChangeFeedPage: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var position: ChangePosition
        package var event: StreamEventType
        /// The id of the status, boost, notification, conversation or filter.
        package var id: Int64?
        /// The time of the change, in milliseconds since 1970, UTC.
        package var at: Int64
        /// The status as it is now, for `update` and `status.update`.
        package var status: Status?

        package init(position: ChangePosition, event: StreamEventType, id: Int64?, at: Int64, status: Status? = nil) {
            self.position = position
            self.event = event
            self.id = id
            self.at = at
            self.status = status
        }
    }

    package var entries: [Entry]
    /// The last row that was examined.
    package var position: ChangePosition
    /// The number of rows that were examined.
    package var examined: Int
    /// Whether further rows follow, which may or may not concern the account.
    package var hasMore: Bool

    package init(entries: [Entry], position: ChangePosition, examined: Int = 0, hasMore: Bool = false) {
        self.entries = entries
        self.position = position
        self.examined = examined
        self.hasMore = hasMore
    }

    /// The page that tells a reader once that changes are missing.
    package static func resync(at position: ChangePosition, now: Int64) -> ChangeFeedPage {
        let entry = Entry(position: position, event: .resync, id: nil, at: now)
        return ChangeFeedPage(entries: [entry], position: position)
    }
}
