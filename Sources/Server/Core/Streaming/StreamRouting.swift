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

/// The accounts that have open streams, by the kind of the stream. Recipients of changes are chosen from them.
package struct SubscribedAccounts: Sendable, Equatable {
    /// The accounts that read `user`.
    package var home: Set<Int64> = []
    /// The accounts that read public or hashtag streams.
    package var listed: Set<Int64> = []
    /// The accounts that read `direct`.
    package var direct: Set<Int64> = []
    /// The lists whose streams are read, with their owners.
    package var lists: [Int64: Int64] = [:]

    package init() {}

    /// One reader of one stream.
    package init(_ stream: StreamName, _ account: Int64?) {
        guard let account else { return }
        switch stream.group {
        case .home: home = [account]
        case .public, .hashtag: listed = [account]
        case .direct: direct = [account]
        case .list: if case .list(let list) = stream { lists = [list: account] }
        // The row names the account.
        case .notifications: break
        }
    }

    /// The accounts that may have seen a status before it was deleted.
    package var accounts: Set<Int64> { home.union(listed).union(direct).union(lists.values) }
}

/// The recipients of a change, and the streams on which they receive it.
package struct StreamRecipients: Sendable, Equatable {
    /// The parts of a status that decide on which streams it appears.
    package struct Subject: Sendable, Equatable {
        /// In lowercase.
        package var tags: Set<String>
        package var hasMedia: Bool
        /// Whether public timelines show the status to anonymous visitors.
        package var isListed: Bool

        package init(tags: Set<String>, hasMedia: Bool, isListed: Bool) {
            self.tags = tags
            self.hasMedia = hasMedia
            self.isListed = isListed
        }
    }

    package let change: Change
    /// `nil` if the status no longer exists.
    package var subject: Subject?
    /// The readers of `user` whose home timeline contains the status.
    package var home: Set<Int64> = []
    /// The readers of public and hashtag streams whose public timeline contains the status.
    package var listed: Set<Int64> = []
    /// The lists whose timeline contains the status.
    package var lists: Set<Int64> = []
    /// The readers of `direct` with a conversation that ends with the status.
    package var participants: Set<Int64> = []
    /// The readers that could see the status before it was deleted.
    package var witnesses: Set<Int64> = []

    private let entries: [StreamRouting.Entry]

    package init(_ change: Change) {
        self.change = change
        entries = StreamRouting.entries(for: change.kind)
    }

    /// The events that a reader of a stream receives. Events with a payload must be dropped if the payload cannot be read
    /// for the account, for example a notification of an account that it has blocked since.
    /// - Parameter account: The account that reads the stream; `nil` for an anonymous visitor.
    package func events(on stream: StreamName, for account: Int64?) -> [StreamEventType] {
        entries.filter { $0.groups.contains(stream.group) && contains(stream, account, $0.audience) }.map(\.event)
    }

    private func contains(_ stream: StreamName, _ account: Int64?, _ audience: StreamRouting.Audience) -> Bool {
        switch audience {
        case .timeline: isOnTimeline(stream, account)
        case .couldSee: wasOnTimeline(stream, account)
        case .participants: account.map(participants.contains) ?? false
        case .participant: account != nil && account == change.account && participants.contains(account ?? 0)
        case .account: account != nil && account == change.account
        }
    }

    private func isOnTimeline(_ stream: StreamName, _ account: Int64?) -> Bool {
        guard let subject else { return false }
        let isListed = account.map(listed.contains) ?? subject.isListed
        switch stream {
        case .user: return account.map(home.contains) ?? false
        case .list(let id): return lists.contains(id)
        case .public, .publicLocal: return isListed
        case .publicMedia, .publicLocalMedia: return isListed && subject.hasMedia
        case .hashtag(let tag), .hashtagLocal(let tag): return isListed && subject.tags.contains(tag)
        case .publicRemote, .publicRemoteMedia, .userNotification, .direct: return false
        }
    }

    /// Whether a reader could see what was deleted, and the stream may have contained it. It may have left a home timeline
    /// or a list since, or have been part of one as a boost, so all who could see it are told.
    private func wasOnTimeline(_ stream: StreamName, _ account: Int64?) -> Bool {
        let isPublic = change.visibility == .public && account.map(witnesses.contains) ?? true
        switch stream {
        case .user, .list: return account.map(witnesses.contains) ?? false
        case .direct: return change.visibility == .direct && account.map(witnesses.contains) ?? false
        case .public, .publicLocal, .publicMedia, .publicLocalMedia: return isPublic
        case .hashtag(let tag), .hashtagLocal(let tag): return isPublic && change.tags.contains(tag)
        case .publicRemote, .publicRemoteMedia, .userNotification: return false
        }
    }
}

/// The streams and accounts that some changes may reach.
package struct RecipientFilter: Sendable {
    package private(set) var groups: Set<StreamRouting.Group> = []
    /// `nil` if any account may be reached.
    private var accounts: Set<Int64>? = []

    package init(of changes: some Sequence<Change>) {
        for change in changes {
            for entry in StreamRouting.entries(for: change.kind) {
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
    package var group: StreamRouting.Group {
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
