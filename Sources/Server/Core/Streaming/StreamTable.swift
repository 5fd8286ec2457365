/// What the changes of the log mean on streams and in the change feed: the only place that decides it. A kind of change
/// without an entry reaches nobody.
package enum StreamTable {
    /// The streams of one kind.
    package enum Group: Sendable, CaseIterable {
        /// `user`.
        case home
        /// `user:notification`.
        case notifications
        /// `public` and its variants.
        case `public`
        case hashtag
        case list
        case direct
    }

    /// Who among the readers of a stream receives an event.
    package enum Audience: Sendable {
        /// Accounts whose timeline contains the status now.
        case timeline
        /// Accounts that could see the status or the boost before it was deleted.
        case couldSee
        /// The participants of the conversation that ends with the status.
        case participants
        /// The participant that the change concerns.
        case participant
        /// The account that the change concerns.
        case account
    }

    /// An event that a change causes.
    package struct Entry: Sendable, Equatable {
        package let event: StreamEvent
        package let groups: Set<Group>
        package let audience: Audience
    }

    /// The event of a kind of change in the change feed. A new direct status is only an `update` there, because each row of
    /// the log has at most one event.
    package static func feedEvent(of kind: Change.Kind) -> StreamEvent? { entries(for: kind).first?.event }

    private static let timelines: Set<Group> = [.home, .public, .hashtag, .list]
    /// Boosts are not part of public timelines.
    private static let boosts: Set<Group> = [.home, .list]
    private static let conversation = Entry(event: .conversation, groups: [.direct], audience: .participants)

    /// The events that a change of a kind causes.
    package static func entries(for kind: Change.Kind) -> [Entry] {
        switch kind {
        case .statusCreated: [Entry(event: .update, groups: timelines, audience: .timeline), conversation]
        case .statusEdited, .mediaUpdated:
            [Entry(event: .statusUpdate, groups: timelines, audience: .timeline), conversation]
        case .statusDeleted:
            [Entry(event: .delete, groups: timelines.union([.direct]), audience: .couldSee)]
        case .boosted: [Entry(event: .update, groups: boosts, audience: .timeline)]
        case .unboosted: [Entry(event: .delete, groups: boosts, audience: .couldSee)]
        case .notified: [Entry(event: .notification, groups: [.home, .notifications], audience: .account)]
        case .filterChanged: [Entry(event: .filtersChanged, groups: [.home], audience: .account)]
        case .conversationRead: [Entry(event: .conversation, groups: [.direct], audience: .participant)]
        // Apps remove the boosts of a deleted status together with it.
        case .boostsRemoved: []
        // Counts and marks, which Mastodon does not send either.
        case .favourited, .unfavourited, .bookmarked, .unbookmarked, .pinned, .unpinned, .conversationMuted,
            .conversationUnmuted, .pollVoted, .pollClosed:
            []
        // The status that mentions the account has a row of its own.
        case .mentioned: []
        // Apps load their timelines again after a change of relationships, lists or followed hashtags.
        case .followed, .unfollowed, .followRequested, .followRejected, .blocked, .unblocked, .muted, .unmuted,
            .endorsed, .unendorsed, .accountNoted, .listChanged, .tagFollowed, .tagUnfollowed, .suggestionDismissed,
            .tagFeatured, .tagUnfeatured, .conversationHidden, .notificationsDismissed, .markerMoved:
            []
        case .accountCreated, .accountUpdated, .signUpRejected, .accountSuspended, .accountUnsuspended,
            .accountSilenced, .accountUnsilenced, .accountRemoved, .passwordChanged, .tokenRevoked, .reportCreated,
            .reportUpdated, .filePut, .fileDeleted, .emojiChanged:
            []
        // Imported statuses are not new.
        case .imported: []
        case .unknown: []
        }
    }
}

/// The streams and accounts that some changes may reach.
package struct StreamReach: Sendable {
    package private(set) var groups: Set<StreamTable.Group> = []
    /// `nil` if any account may be reached.
    private var accounts: Set<Int64>? = []

    package init(of changes: some Sequence<Change>) {
        for change in changes {
            for entry in StreamTable.entries(for: change.kind) {
                groups.formUnion(entry.groups)
                let isPersonal = entry.audience == .account || entry.audience == .participant
                if isPersonal, let account = change.account { accounts?.insert(account) } else { accounts = nil }
            }
        }
    }

    /// Whether the subscriptions of an account may be reached; `nil` for an anonymous visitor.
    package func contains(_ account: Int64?) -> Bool {
        guard let accounts else { return true }
        return account.map(accounts.contains) ?? false
    }
}

extension StreamName {
    package var group: StreamTable.Group {
        switch self {
        case .user: .home
        case .userNotification: .notifications
        case .public, .publicMedia, .publicLocal, .publicLocalMedia, .publicRemote, .publicRemoteMedia: .public
        case .hashtag, .hashtagLocal: .hashtag
        case .list: .list
        case .direct: .direct
        }
    }
}
