/// Maps the changes of the log to events on streams and in the change feed; nothing else decides this. A kind of change
/// without an entry reaches nobody.
package enum StreamRouting {
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

    /// The readers of a stream that receive an event.
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
        package let event: StreamEventType
        package let groups: Set<Group>
        package let audience: Audience
    }

    /// The event of a kind of change in the change feed. A new direct status is only an `update` there, because each row of
    /// the log has at most one event.
    package static func feedEvent(of kind: Change.Kind) -> StreamEventType? { entries(for: kind).first?.event }

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
