import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// No query and no write exceeds its cost limit, however many statuses a page omits.
@Suite(.hangLimit, .onSQLite)
struct PageCostTests {
    private static let many = 20_000

    /// A feed, created with SQL, in which every kind of page omits many statuses.
    private static func crowded() async throws -> (store: TestStore, ada: Account, bob: Account) {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await store.follows.follow(ada.id, by: bob.id)
        let first = try await store.post("hello #tag #other @bob", by: ada).id
        _ = try await store.post("to followers #tag", by: ada, .followers)
        try await store.database.commits.write { db in
            for (visibility, shift) in [(3, 1), (2, 2)] {
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(many))
                    INSERT INTO status (id, account_id, created_at, visibility, text, content, tags,
                    in_reply_to_id,
                        in_reply_to_account_id, media_ids)
                    SELECT \(first) + i * 4 + \(shift), \(ada.id), 0, \(visibility), 'x', '<p>x</p>', 'tag',
                    \(first), \(99), '1' FROM n
                    """)
            }
            try db.execute(
                """
                INSERT INTO status_tag (tag, status_id, account_id, visibility)
                SELECT 'tag', id, account_id, visibility FROM status WHERE id > \(first)
                ON CONFLICT DO NOTHING
                """)
        }
        return (store, ada, bob)
    }

    @Test func costOfPagesThatOmitMuchIsBounded() async throws {
        let (store, ada, bob) = try await Self.crowded()
        let stranger = try await store.account("stranger")
        for viewer in [nil, stranger.id, bob.id, ada.id] {
            var timelines: [Timeline] = [
                .public, .publicMedia, .classic, .account(ada.id), .tag("tag"),
                .tags(TagFilter(any: ["tag"], none: ["other"])),
                .tags(TagFilter(any: ["tag"], all: ["other"])),
            ]
            var filter = AccountFilter()
            (filter.excludesReplies, filter.excludesBoosts) = (true, true)
            timelines.append(.account(ada.id, filter))
            filter = AccountFilter()
            filter.tag = "tag"
            timelines.append(.account(ada.id, filter))
            filter = AccountFilter()
            filter.onlyMedia = true
            timelines.append(.account(ada.id, filter))
            filter.tag = "tag"
            timelines.append(.account(ada.id, filter))
            var media = TagFilter(any: ["tag"])
            media.onlyMedia = true
            timelines.append(.tags(media))
            filter = AccountFilter()
            filter.onlyPinned = true
            timelines.append(.account(ada.id, filter))
            filter.tag = "tag"
            timelines.append(.account(ada.id, filter))
            timelines.append(.tags(TagFilter(any: ["tag", "other", "third", "fourth", "fifth"])))
            if let viewer {
                timelines += [.home(viewer), .marked(.favourite, by: viewer), .marked(.bookmark, by: viewer)]
            }
            for timeline in timelines { try await Self.check(timeline, viewer, store) }
        }
    }

    /// Many public statuses have the hashtags that are asked for, but each lacks another one, or has an excluded one.
    @Test func costOfPagesOfSeveralHashtagsIsBounded() async throws {
        let (store, ada, _) = try await Self.crowded()
        let names = (1...5).map { "tag\($0)" }
        try await store.database.commits.write { db in
            let first = try db.fetchOne("SELECT max(id) FROM status", as: Int64.self) ?? 0
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                INSERT INTO status (id, account_id, created_at, visibility, text, content, tags)
                SELECT \(first) + i, \(ada.id), 0, 0, 'x', '<p>x</p>', 'tag1 tag2 tag3 tag4 tag5' FROM n
                """)
            for name in names {
                try db.execute(
                    """
                    INSERT INTO status_tag (tag, status_id, account_id, visibility)
                    SELECT \(name), id, account_id, visibility FROM status WHERE id > \(first)
                    """)
            }
        }
        let rare = Array(names.prefix(3)) + ["rare"]
        for filter in [
            TagFilter(any: names), TagFilter(any: names, all: rare),
            TagFilter(any: names, none: ["a", "b", "c", "tag1"]),
            TagFilter(any: names, all: rare, none: ["a", "b", "c", "d"]),
        ] { try await Self.check(.tags(filter), nil, store) }
    }

    /// Runs every query of a page in both directions, from either end and from the middle, until the page is full.
    private static func check(_ timeline: Timeline, _ viewer: Int64?, _ store: TestStore) async throws {
        let reader = TimelineReader(timeline, for: viewer, now: store.clock.now)
        let newest = try await store.database.read { try $0.fetchOne("SELECT max(id) FROM status", as: Int64.self) }
        // The statuses of `crowded()` are four ids apart.
        let middle = try #require(newest) - Int64(2 * many)
        let pages = [
            Pagination(limit: 40), Pagination(limit: 40, maxID: middle), Pagination(limit: 40, sinceID: middle),
            Pagination(limit: 40, minID: middle), Pagination(limit: 40, minID: 0),
        ]
        for page in pages {
            var rest = page
            for round in 0..<4 {
                let (steps, end) = try await store.database.read { [rest] db in
                    var end: Int64?
                    let steps = try db.steps { end = try reader.step(rest, isFirst: round == 0, in: db).end }
                    return (steps, end)
                }
                #expect(
                    steps < PageCost.bound, "\(timeline) for \(viewer ?? 0), \(page), round \(round): \(steps)")
                guard let end else { break }
                rest =
                    page.isAscending
                    ? Pagination(limit: 40, minID: end) : Pagination(limit: 40, maxID: end, sinceID: page.sinceID)
            }
        }
    }

    /// Thousands of omitted statuses do not hide later ones.
    @Test func statusesBehindThousandsOfOmittedOnesAreFound() async throws {
        let (store, ada, bob) = try await Self.crowded()
        let open = try await store.timelines.timeline(.account(ada.id), page: Pagination(limit: 20), for: nil)
        #expect(open.entries.count == 1 && !open.hasOlder)
        let public_ = try await store.timelines.timeline(.public, page: Pagination(limit: 20), for: nil)
        #expect(public_.entries.count == 1 && !public_.hasOlder)
        let follower = try await store.timelines.timeline(.account(ada.id), page: Pagination(limit: 20), for: bob.id)
        #expect(follower.entries.count == 20 && follower.hasOlder)
        var filter = AccountFilter()
        filter.excludesReplies = true
        // Some of the pages are short, but the status at the end is found.
        var found: [Int64] = []
        var page = Pagination(limit: 20)
        while true {
            let next = try await store.timelines.timeline(.account(ada.id, filter), page: page, for: ada.id)
            found += next.entries.map(\.id)
            guard next.hasOlder, let oldest = next.oldest else { break }
            page = Pagination(limit: 20, maxID: oldest)
        }
        #expect(found.count == 2)
    }

    @Test func costOfPopularContextsIsBounded() async throws {
        let (store, ada, bob) = try await Self.crowded()
        let root = try #require(
            try await store.timelines.timeline(.public, page: Pagination(limit: 1), for: nil).entries.first)
        let steps = try await store.database.read { db in
            try db.steps { _ = try StatusStore.below(root.id, in: db) }
        }
        #expect(steps < PageCost.bound, "\(steps)")
        _ = ada
        let context = try #require(try await store.statuses.context(of: root.id, for: bob.id))
        #expect(context.descendants.count > 100)
    }

    @Test func repliesFollowTheirParents() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let root = try await store.post("root", by: ada).id
        func reply(_ text: String, _ target: Int64) async throws -> Int64 {
            store.clock.now += 1
            return try await store.post(text, by: ada, replyTo: target).id
        }
        let first = try await reply("1", root)
        let second = try await reply("2", root)
        let deep = try await reply("1.1", first)
        let deeper = try await reply("1.1.1", deep)
        let late = try await reply("1.2", first)
        let context = try #require(try await store.statuses.context(of: root, for: nil))
        #expect(context.descendants.map(\.id) == [first, deep, deeper, late, second])
        let middle = try #require(try await store.statuses.context(of: deep, for: nil))
        #expect(middle.ancestors.map(\.id) == [root, first] && middle.descendants.map(\.id) == [deeper])
    }

    @Test func costOfSearchesIsBounded() async throws {
        let (store, ada, _) = try await Self.crowded()
        try await store.database.commits.write { db in
            for index in 0..<5000 {
                var new = NewAccount(username: "user\(index)")
                new.displayName = "Ann of \(index)"
                _ = try AccountStore.insert(new, createdAt: 1, importID: 0, into: db)
            }
        }
        for text in ["a", "u", "user", "ann", "of", "ann of 49", "nothing at all", "49"] {
            let query = SearchStore.query(text, limit: 40, offset: 0, followedBy: nil)
            let followed = SearchStore.query(text, limit: 40, offset: 400, followedBy: ada.id)
            let steps = try await store.database.read { try max($0.steps(query), $0.steps(followed)) }
            #expect(steps < PageCost.bound, "\(text): \(steps)")
        }
        let found = try await store.search.accounts(matching: "of 49", limit: 40, offset: 0, followedBy: nil)
        #expect(found.count == 40 && found.allSatisfy { $0.displayName.contains("of 49") })
    }

    /// Only followers who requested notifications are read, however many accounts follow.
    @Test func costOfPostingDoesNotDependOnTheNumberOfFollowers() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        func cost() async throws -> Int {
            try await store.database.commits.write { db in
                let draft = StatusDraft(text: "x")
                let rendered = StatusHTML.render(StatusTextParser.parse("x"), known: [:])
                let status = PreparedStatus(
                    accountID: ada.id, draft: draft, rendered: rendered, inReplyToAccountID: nil)
                return try db.steps { _ = try StatusStore.post(status, at: 1, in: db) }
            }
        }
        let before = try await cost()
        try await store.database.commits.write { db in
            for index in 0..<8300 {
                let id = try AccountStore.insert(
                    NewAccount(username: "user\(index)"), createdAt: 1, importID: 0, into: db)
                try db.execute(
                    """
                    INSERT INTO follow (follower_id, followee_id, created_at) VALUES (\(id), \(ada.id), 1)
                    """)
            }
        }
        let after = try await cost()
        #expect(after < before + 50, "\(before) and \(after) steps")
    }
}
