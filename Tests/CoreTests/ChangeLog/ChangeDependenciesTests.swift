import FeedCore
import Testing

struct ChangeDependenciesTests {
    /// A home timeline of the account 1, which follows 2: status 100 by 2, a reply to 90, above a probe 80 by 3.
    private static let home: ChangeDependencies = {
        var dependencies = ChangeDependencies()
        dependencies.viewer = 1
        dependencies.accounts = [2, 3]
        dependencies.statuses = [100, 90, 80]
        dependencies.authors = .accounts([1, 2])
        return dependencies
    }()

    /// The public timeline, as an anonymous visitor sees it.
    private static let timeline: ChangeDependencies = {
        var dependencies = home
        dependencies.viewer = nil
        dependencies.authors = .everyone
        return dependencies
    }()

    /// The same below the status 110.
    private static let bounded: ChangeDependencies = {
        var dependencies = timeline
        dependencies.end = 110
        return dependencies
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: Change.Kind
        let subject: Int64?
        let account: Int64?
        let related: Int64?
        /// Whether the home timeline, the public one and its bounded page are affected.
        let expected: [Bool]

        init(
            _ kind: Change.Kind, _ subject: Int64? = nil, by account: Int64? = nil, related: Int64? = nil,
            _ home: Bool, _ timeline: Bool, _ bounded: Bool
        ) {
            (self.kind, self.subject, self.account, self.related) = (kind, subject, account, related)
            expected = [home, timeline, bounded]
        }

        var testDescription: String { "\(kind) \(subject ?? 0) by \(account ?? 0), related \(related ?? 0)" }
    }

    private static let rows = [
        Row(.statusCreated, 200, by: 9, false, true, false),
        Row(.statusCreated, 200, by: 1, true, true, false),
        Row(.statusCreated, 200, by: 3, true, true, true),
        Row(.statusCreated, 200, by: 9, related: 100, true, true, true),
        Row(.boosted, 200, by: 9, related: 70, false, false, false),
        Row(.boosted, 200, by: 9, related: 80, true, true, true),
        Row(.boosted, 200, by: 1, related: 70, true, false, false),
        Row(.unboosted, 60, by: 9, related: 70, false, false, false),
        Row(.unboosted, 60, by: 2, related: 70, true, true, true),
        Row(.unboosted, 60, by: 1, related: 70, true, false, false),
        Row(.statusEdited, 100, by: 2, true, true, true),
        Row(.statusEdited, 50, by: 9, false, true, true),
        Row(.statusDeleted, 90, by: 9, true, true, true),
        Row(.statusDeleted, 50, by: 9, false, false, false),
        Row(.statusDeleted, 50, by: 9, related: 100, true, true, true),
        Row(.favourited, 100, by: 9, true, true, true),
        Row(.favourited, 50, by: 9, false, false, false),
        Row(.favourited, 50, by: 1, true, false, false),
        Row(.bookmarked, 100, by: 1, true, false, false),
        Row(.bookmarked, 100, by: 2, false, false, false),
        Row(.pinned, 50, by: 2, true, true, true),
        Row(.conversationMuted, 100, by: 1, true, false, false),
        Row(.mentioned, 200, by: 1, true, false, false),
        Row(.mentioned, 200, by: 9, false, false, false),
        Row(.followed, 1, by: 9, true, false, false),
        Row(.unfollowed, 9, by: 1, true, false, false),
        Row(.followed, 9, by: 2, true, true, true),
        Row(.followed, 8, by: 9, false, false, false),
        Row(.blocked, 1, by: 9, true, false, false),
        Row(.muted, 9, by: 1, true, false, false),
        Row(.muted, 1, by: 9, false, false, false),
        Row(.accountUpdated, 2, by: 2, true, true, true),
        Row(.accountUpdated, 1, by: 1, true, false, false),
        Row(.accountUpdated, 9, by: 9, false, false, false),
        Row(.accountSuspended, 9, by: 9, true, true, true),
        Row(.accountUnsuspended, 9, by: 9, true, true, true),
        Row(.accountSilenced, 9, by: 9, true, true, true),
        Row(.accountUnsilenced, 9, by: 9, true, true, true),
        Row(.accountRemoved, 9, by: 9, true, true, true),
        Row(.reportCreated, 100, by: 2, false, false, false),
        Row(.reportUpdated, 100, by: 1, false, false, false),
        Row(.boostsRemoved, 50, true, true, true),
        Row(.imported, nil, true, true, true),
        Row(.unknown, nil, true, true, true),
        Row(.filterChanged, 5, by: 1, true, false, false),
        Row(.filterChanged, 5, by: 2, false, false, false),
        Row(.endorsed, 2, by: 1, false, false, false),
        Row(.unendorsed, 2, by: 1, false, false, false),
        Row(.accountNoted, 2, by: 1, false, false, false),
        Row(.notified, 5, by: 1, false, false, false),
        Row(.markerMoved, by: 1, false, false, false),
        Row(.tokenRevoked, 5, by: 1, false, false, false),
        Row(.passwordChanged, 1, by: 1, false, false, false),
        Row(.filePut, by: 1, false, false, false),
        Row(.mediaUpdated, 100, by: 2, true, true, true),
        Row(.mediaUpdated, 50, by: 9, false, false, false),
    ]

    @Test(arguments: rows) func onlyWhatAPageShowsAffectsIt(_ row: Row) {
        let change = Change(
            sequence: 1, kind: row.kind, subject: row.subject, account: row.account, related: row.related, at: 0)
        #expect([Self.home, Self.timeline, Self.bounded].map { $0.areAffected(by: change) } == row.expected)
        #expect(ChangeDependencies.anything.areAffected(by: change))
    }

    @Test func preparedFiltersDependOnFiltersOnly() {
        var filters = ChangeDependencies()
        filters.filters = 1
        func affects(_ kind: Change.Kind, account: Int64?) -> Bool {
            filters.areAffected(by: Change(sequence: 1, kind: kind, subject: 7, account: account, at: 0))
        }
        #expect(affects(.filterChanged, account: 1) && affects(.imported, account: nil))
        #expect(!affects(.filterChanged, account: 2) && !affects(.filterChanged, account: nil))
        #expect(!affects(.bookmarked, account: 1) && !affects(.accountUpdated, account: 1))
    }

    @Test func loginsAndFilesDependOnTheirOwnChanges() {
        var login = ChangeDependencies()
        (login.viewer, login.onLogin) = (1, true)
        var files = ChangeDependencies()
        files.onFiles = true
        func affects(_ kind: Change.Kind, account: Int64?, _ dependencies: ChangeDependencies) -> Bool {
            dependencies.areAffected(by: Change(sequence: 1, kind: kind, subject: 7, account: account, at: 0))
        }
        #expect(affects(.tokenRevoked, account: 1, login) && affects(.passwordChanged, account: 1, login))
        #expect(!affects(.tokenRevoked, account: 2, login) && !affects(.filePut, account: 1, login))
        #expect(affects(.filePut, account: 1, files) && affects(.fileDeleted, account: nil, files))
        #expect(!affects(.tokenRevoked, account: 1, files) && affects(.accountSuspended, account: 1, files))
    }
}
