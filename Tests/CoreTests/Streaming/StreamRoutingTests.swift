import FeedCore
import Testing

@Suite("The table of events") struct StreamRoutingTests {
    /// Each kind of change that reaches anybody, and the events as `EVENT GROUPS`.
    private static let rows: [Change.Kind: [String]] = [
        .statusCreated: ["update hashtag home list public", "conversation direct"],
        .statusEdited: ["status.update hashtag home list public", "conversation direct"],
        .mediaUpdated: ["status.update hashtag home list public", "conversation direct"],
        .statusDeleted: ["delete direct hashtag home list public"],
        .boosted: ["update home list"], .unboosted: ["delete home list"],
        .notified: ["notification home notifications"], .filterChanged: ["filters_changed home"],
        .conversationRead: ["conversation direct"],
    ]

    @Test func otherKindsReachNobody() {
        for kind in Change.Kind.allCases {
            let found = StreamRouting.entries(for: kind).map { entry in
                ([entry.event.rawValue] + entry.groups.map { "\($0)" }.sorted()).joined(separator: " ")
            }
            #expect(found == Self.rows[kind] ?? [], "\(kind)")
        }
        #expect(StreamRouting.entries(for: .unknown).isEmpty && StreamRouting.entries(for: .imported).isEmpty)
    }

    /// A replay may stop between any two events, and continues after a row.
    @Test func streamsHaveOneEventPerRow() {
        for kind in Change.Kind.allCases {
            let groups = StreamRouting.entries(for: kind).flatMap(\.groups)
            #expect(Set(groups).count == groups.count, "\(kind)")
        }
    }

    /// A row has one position, so the change feed must not split it.
    @Test func changeFeedHasOneEventPerRow() {
        #expect(StreamRouting.feedEvent(of: .statusCreated) == .update)
        #expect(StreamRouting.feedEvent(of: .statusDeleted) == .delete)
        #expect(StreamRouting.feedEvent(of: .favourited) == nil)
    }
}

@Suite("Whom changes may reach") struct RecipientFilterTests {
    private static func reach(_ changes: (Change.Kind, account: Int64?)...) -> RecipientFilter {
        RecipientFilter(of: changes.map { Change(sequence: 1, kind: $0.0, subject: 9, account: $0.account, at: 0) })
    }

    @Test func personalChangesReachTheirAccounts() {
        let reach = Self.reach((.notified, 2), (.filterChanged, 3), (.favourited, 4))
        #expect(reach.groups == [.home, .notifications])
        #expect(reach.contains(2) && reach.contains(3) && !reach.contains(4) && !reach.contains(nil))
    }

    @Test func oneStatusReachesAnyAccount() {
        let reach = Self.reach((.notified, 2), (.statusCreated, 3))
        #expect(reach.groups == Set(StreamRouting.Group.allCases))
        #expect(reach.contains(2) && reach.contains(4) && reach.contains(nil))
    }

    @Test func otherChangesReachNoStream() { #expect(Self.reach((.followed, 2), (.imported, nil)).groups.isEmpty) }
}

@Suite("Who receives a change") struct StreamRecipientsTests {
    private static let streams: [StreamName] = [
        .user, .userNotification, .public, .publicMedia, .publicLocal, .publicLocalMedia, .publicRemote,
        .publicRemoteMedia, .hashtag("swift"), .hashtag("other"), .hashtagLocal("swift"), .list(5), .list(6), .direct,
    ]

    private static func recipients(
        _ kind: Change.Kind, account: Int64 = 1, visibility: Visibility? = nil, tags: [String] = [],
        _ change: (inout StreamRecipients) -> Void
    ) -> StreamRecipients {
        var recipients = StreamRecipients(
            Change(
                sequence: 1, kind: kind, subject: 9, account: account, tags: tags, visibility: visibility, at: 0))
        change(&recipients)
        return recipients
    }

    /// The streams on which an account receives events, by their channels.
    private static func received(_ recipients: StreamRecipients, by account: Int64?) -> [String: [StreamEventType]] {
        var found: [String: [StreamEventType]] = [:]
        for stream in streams {
            let events = recipients.events(on: stream, for: account)
            if !events.isEmpty { found[stream.array().joined(separator: " ")] = events }
        }
        return found
    }

    @Test func newStatusReachesTheTimelinesThatShowIt() {
        let found = Self.recipients(.statusCreated) {
            $0.subject = .init(tags: ["swift"], hasMedia: false, isListed: true)
            ($0.home, $0.listed, $0.lists) = ([2], [2, 3], [5])
        }
        let open: [String: [StreamEventType]] = [
            "public": [.update], "public:local": [.update], "hashtag swift": [.update],
            "hashtag:local swift": [.update],
        ]
        let list: [String: [StreamEventType]] = ["list 5": [.update]]
        #expect(Self.received(found, by: 2) == open.merging(list) { $1 }.merging(["user": [.update]]) { $1 })
        #expect(Self.received(found, by: 3) == open.merging(list) { $1 })
        #expect(Self.received(found, by: 4) == list)
        #expect(found.events(on: .public, for: nil) == [.update] && found.events(on: .user, for: nil) == [])
    }

    @Test func mediaStreamsHaveOnlyStatusesWithFiles() {
        let found = Self.recipients(.statusEdited) {
            $0.subject = .init(tags: [], hasMedia: true, isListed: false)
            $0.listed = [2]
        }
        #expect(found.events(on: .publicMedia, for: 2) == [.statusUpdate])
        #expect(found.events(on: .publicRemoteMedia, for: 2) == [] && found.events(on: .publicMedia, for: nil) == [])
    }

    @Test func createdItemThatIsGoneReachesNobody() {
        let found = Self.recipients(.statusCreated) { ($0.home, $0.listed, $0.lists) = ([2], [2], [5]) }
        #expect(Self.received(found, by: 2).isEmpty)
    }

    @Test(arguments: [
        (
            Visibility.public,
            [
                "user", "list 5", "list 6", "public", "public:local", "public:media", "public:local:media",
                "hashtag swift", "hashtag:local swift",
            ]
        ),
        (.unlisted, ["user", "list 5", "list 6"]), (.followers, ["user", "list 5", "list 6"]),
        (.direct, ["user", "list 5", "list 6", "direct"]),
    ]) func deletionReachesOnlyThoseWhoCouldSeeTheStatus(_ visibility: Visibility, _ streams: [String]) {
        let tags = visibility == .public ? ["swift"] : []
        let found = Self.recipients(.statusDeleted, visibility: visibility, tags: tags) { $0.witnesses = [2] }
        #expect(Set(Self.received(found, by: 2).keys) == Set(streams))
        #expect(Self.received(found, by: 2).values.allSatisfy { $0 == [.delete] })
        #expect(Self.received(found, by: 3).isEmpty)
        #expect(Self.received(found, by: nil).keys.contains("public") == (visibility == .public))
    }

    /// Rows of older versions have no visibility.
    @Test func deletionOfUnknownVisibilityReachesNoPublicStream() {
        let found = Self.recipients(.statusDeleted) { $0.witnesses = [1] }
        #expect(Set(Self.received(found, by: 1).keys) == ["user", "list 5", "list 6"])
        #expect(Self.received(found, by: nil).isEmpty)
    }

    @Test func notificationsAndFiltersBelongToOneAccount() {
        let notified = Self.recipients(.notified, account: 2) { _ in }
        #expect(Self.received(notified, by: 2) == ["user": [.notification], "user:notification": [.notification]])
        let filter = Self.recipients(.filterChanged, account: 2) { _ in }
        #expect(Self.received(filter, by: 2) == ["user": [.filtersChanged]])
        for found in [notified, filter] { #expect(Self.received(found, by: 3).isEmpty) }
    }

    @Test func conversationsReachTheirParticipants() {
        let created = Self.recipients(.statusCreated, account: 2) { $0.participants = [2, 3] }
        #expect(created.events(on: .direct, for: 3) == [.conversation] && created.events(on: .direct, for: 4) == [])
        let read = Self.recipients(.conversationRead, account: 2) { $0.participants = [2, 3] }
        #expect(read.events(on: .direct, for: 2) == [.conversation] && read.events(on: .direct, for: 3) == [])
    }
}
