import Testing

@testable import FeedCore

struct CacheInvalidationTests {
    /// A home timeline of the account 1, which follows 2 and #tag: status 100 by 2, a reply to 90, above a probe 80 by 3.
    private static let home: CacheInvalidation = {
        var dependencies = CacheInvalidation()
        dependencies.viewer = 1
        dependencies.accounts = [2, 3]
        dependencies.statuses = [100, 90, 80]
        dependencies.authors = .accounts([1, 2])
        dependencies.tags = ["tag"]
        return dependencies
    }()

    /// The public timeline, as an anonymous visitor sees it.
    private static let timeline: CacheInvalidation = {
        var dependencies = home
        dependencies.viewer = nil
        dependencies.authors = .everyone
        dependencies.tags = []
        return dependencies
    }()

    /// The same below the status 110.
    private static let bounded: CacheInvalidation = {
        var dependencies = timeline
        dependencies.end = 110
        return dependencies
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: Change.Kind
        let subject: Int64?
        let account: Int64?
        let related: Int64?
        let tags: [String]
        /// Whether the home timeline, the public one and its bounded page are affected.
        let expected: [Bool]

        init(
            _ kind: Change.Kind, _ subject: Int64? = nil, by account: Int64? = nil, related: Int64? = nil,
            tags: [String] = [], _ home: Bool, _ timeline: Bool, _ bounded: Bool
        ) {
            (self.kind, self.subject, self.account, self.related, self.tags) = (kind, subject, account, related, tags)
            expected = [home, timeline, bounded]
        }

        var change: Change {
            Change(
                sequence: 1, kind: kind, subject: subject, account: account, related: related, tags: tags, at: 0)
        }

        var testDescription: String { "\(kind) \(subject ?? 0) by \(account ?? 0), related \(related ?? 0) \(tags)" }
    }

    private static let rows = [
        Row(.statusCreated, 200, by: 9, false, true, false),
        Row(.statusCreated, 200, by: 1, true, true, false),
        Row(.statusCreated, 200, by: 3, true, true, true),
        Row(.statusCreated, 200, by: 9, related: 100, true, true, true),
        Row(.statusCreated, 200, by: 9, tags: ["other", "tag"], true, true, false),
        Row(.statusCreated, 200, by: 9, tags: ["tags"], false, true, false),
        Row(.boosted, 200, by: 9, related: 70, false, false, false),
        Row(.boosted, 200, by: 9, related: 80, true, true, true),
        Row(.boosted, 200, by: 1, related: 70, true, false, false),
        Row(.unboosted, 60, by: 9, related: 70, false, false, false),
        Row(.unboosted, 60, by: 2, related: 70, true, true, true),
        Row(.unboosted, 60, by: 1, related: 70, true, false, false),
        Row(.statusEdited, 100, by: 2, true, true, true),
        Row(.statusEdited, 50, by: 9, false, true, true),
        Row(.statusEdited, 50, by: 9, tags: ["tag"], true, true, true),
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
        Row(.listChanged, 7, by: 1, true, false, false),
        Row(.listChanged, 7, by: 2, false, false, false),
        Row(.tagFollowed, by: 1, true, false, false),
        Row(.tagUnfollowed, by: 1, true, false, false),
        Row(.tagFollowed, by: 2, false, false, false),
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
        Row(.conversationRead, 100, by: 1, false, false, false),
        Row(.conversationHidden, 100, by: 1, false, false, false),
        Row(.suggestionDismissed, 2, by: 1, false, false, false),
        Row(.tagFeatured, 100, by: 1, false, false, false),
        Row(.tagUnfeatured, 100, by: 2, false, false, false),
        Row(.emojiChanged, nil, true, true, true),
        Row(.imported, nil, true, true, true),
        Row(.unknown, nil, true, true, true),
        Row(.filterChanged, 5, by: 1, true, false, false),
        Row(.filterChanged, 5, by: 2, false, false, false),
        Row(.endorsed, 2, by: 1, false, false, false),
        Row(.unendorsed, 2, by: 1, false, false, false),
        Row(.accountNoted, 2, by: 1, true, false, false),
        Row(.accountNoted, 1, by: 2, false, false, false),
        Row(.notified, 5, by: 1, false, false, false),
        Row(.markerMoved, by: 1, false, false, false),
        Row(.tokenRevoked, 5, by: 1, false, false, false),
        Row(.passwordChanged, 1, by: 1, false, false, false),
        Row(.filePut, by: 1, false, false, false),
        Row(.mediaUpdated, 100, by: 2, true, true, true),
        Row(.mediaUpdated, 50, by: 9, false, false, false),
        Row(.pollVoted, 100, by: 9, true, true, true),
        Row(.pollVoted, 50, by: 1, false, false, false),
        Row(.pollClosed, 80, by: 3, true, true, true),
        Row(.pollClosed, 50, by: 2, false, false, false),
    ]

    @Test(arguments: rows) func onlyWhatAPageShowsAffectsIt(_ row: Row) {
        let change = row.change
        #expect([Self.home, Self.timeline, Self.bounded].map { $0.areAffected(by: change) } == row.expected)
        #expect(CacheInvalidation.anything.areAffected(by: change))
    }

    /// The statuses 200 and above that may be new entries of the home timeline; `nil` if it has to be read again.
    private static let additions: [(row: Row, added: [Int64]?)] = [
        (Row(.statusCreated, 200, by: 2, true, true, true), [200]),
        (Row(.statusCreated, 200, by: 1, true, true, true), [200]),
        (Row(.statusCreated, 200, by: 9, false, true, true), []),
        (Row(.statusCreated, 200, by: 3, true, true, true), []),
        (Row(.statusCreated, 200, by: 9, related: 100, true, true, true), []),
        (Row(.statusCreated, 200, by: 9, tags: ["tag"], true, true, true), [200]),
        (Row(.boosted, 200, by: 2, related: 70, true, true, true), [200]),
        (Row(.boosted, 200, by: 9, related: 80, true, true, true), []),
        (Row(.boosted, 200, by: 1, related: 70, true, true, true), nil),
        (Row(.favourited, 100, by: 9, true, true, true), []),
        (Row(.favourited, 100, by: 1, true, true, true), nil),
        (Row(.unfavourited, 100, true, true, true), nil),
        (Row(.bookmarked, 100, by: 1, true, true, true), nil),
        (Row(.bookmarked, 100, by: 9, false, true, true), []),
        (Row(.mentioned, 200, by: 1, true, true, true), nil),
    ]

    @Test(arguments: additions) func onlyNewStatusesAreAdditions(_ row: Row, added: [Int64]?) {
        let boosts = row.kind == .boosted ? Set(added ?? []) : []
        #expect(Self.home.additions(by: [row.change]) == added.map { ListAdditions($0, boosts: boosts) })
        #expect(CacheInvalidation.anything.additions(by: [row.change]) == nil)
    }

    /// All other changes that affect a page may change which entries it has, or what its viewer has marked.
    @Test func otherChangesAreNoAdditions() {
        let additions: Set<Change.Kind> = [.statusCreated, .boosted, .favourited, .unfavourited]
        for row in Self.rows where !additions.contains(row.kind) {
            #expect(Self.home.additions(by: [row.change])?.ids == (row.expected[0] ? nil : []), "\(row)")
        }
        let rows = [200, 201].map { Change(sequence: $0, kind: .statusCreated, subject: $0, account: 2, at: 0) }
        let deletion = Change(sequence: 202, kind: .statusDeleted, subject: 200, account: 2, at: 0)
        #expect(Self.home.additions(by: rows) == ListAdditions([200, 201]))
        #expect(Self.home.additions(by: rows + [deletion]) == nil)
    }

    /// A page of a hashtag does not change when statuses without the hashtag are posted.
    @Test func pagesOfAHashtagDependOnItsStatuses() {
        let page = Page<Status>.empty
        let selection = TagFilter(any: ["one", "two"], all: ["three"], none: ["four"])
        let dependencies = CacheInvalidation(
            page, of: .tags(selection), Pagination(limit: 20), sources: TimelineSources(), viewer: nil)
        func affects(_ kind: Change.Kind, _ tags: [String]) -> Bool {
            dependencies.areAffected(by: Change(sequence: 1, kind: kind, subject: 7, account: 8, tags: tags, at: 0))
        }
        #expect(affects(.statusCreated, ["two", "four"]) && affects(.statusEdited, ["one"]))
        #expect(!affects(.statusCreated, ["three", "four"]) && !affects(.statusCreated, []))
        #expect(affects(.imported, []) && affects(.accountUnsilenced, []))
    }

    /// Too many followed accounts to list make a home timeline depend on everything; the members of a list never do.
    @Test func homeAndListsDependOnTheirSources() {
        let list = AccountList(id: 1, ownerID: 2, title: "list", repliesPolicy: .list, isExclusive: false)
        func dependencies(_ timeline: Timeline, _ authors: Set<Int64>?) -> CacheInvalidation {
            CacheInvalidation(
                Page<Status>.empty, of: timeline, Pagination(limit: 20),
                sources: TimelineSources(authors: authors, tags: ["tag"]), viewer: 2)
        }
        #expect(dependencies(.home(2), nil).onAnything && !dependencies(.home(2), [2]).onAnything)
        #expect(dependencies(.home(2), [2, 3]).authors == .accounts([2, 3]))
        #expect(dependencies(.home(2), [2]).tags == ["tag"])
        #expect(dependencies(.list(list), [3]).authors == .accounts([3]) && dependencies(.list(list), [3]).tags == [])
        #expect(!dependencies(.public, nil).onAnything)
    }

    @Test func preparedFiltersDependOnFiltersOnly() {
        var filters = CacheInvalidation()
        filters.filters = 1
        func affects(_ kind: Change.Kind, account: Int64?) -> Bool {
            filters.areAffected(by: Change(sequence: 1, kind: kind, subject: 7, account: account, at: 0))
        }
        #expect(affects(.filterChanged, account: 1) && affects(.imported, account: nil))
        #expect(!affects(.filterChanged, account: 2) && !affects(.filterChanged, account: nil))
        #expect(!affects(.bookmarked, account: 1) && !affects(.accountUpdated, account: 1))
    }

    @Test func loginsAndFilesDependOnTheirOwnChanges() {
        var login = CacheInvalidation()
        login.login = .account(1)
        var application = CacheInvalidation()
        application.login = .application
        var files = CacheInvalidation()
        files.onFiles = true
        func affects(_ kind: Change.Kind, account: Int64?, _ dependencies: CacheInvalidation) -> Bool {
            dependencies.areAffected(by: Change(sequence: 1, kind: kind, subject: 7, account: account, at: 0))
        }
        #expect(affects(.tokenRevoked, account: 1, login) && affects(.passwordChanged, account: 1, login))
        #expect(!affects(.tokenRevoked, account: 2, login) && !affects(.filePut, account: 1, login))
        #expect(affects(.accountUpdated, account: 1, login) && !affects(.accountUpdated, account: 2, login))
        #expect(!affects(.statusCreated, account: 1, login) && !affects(.followed, account: 1, login))
        #expect(affects(.tokenRevoked, account: nil, application) && !affects(.tokenRevoked, account: nil, login))
        #expect(!affects(.tokenRevoked, account: 1, application) && affects(.imported, account: nil, application))
        #expect(affects(.filePut, account: 1, files) && affects(.fileDeleted, account: nil, files))
        #expect(!affects(.tokenRevoked, account: 1, files) && affects(.accountSuspended, account: 1, files))
    }
}
