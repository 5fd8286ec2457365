import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct TimelineTests {
    /// Visibility is enforced in every method that returns statuses.
    @Test func visibilityIsEnforcedEverywhere() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let follower = try await store.account("follower")
        let addressee = try await store.account("addressee")
        let stranger = try await store.account("stranger")
        try await store.importLines(#"{"kind":"follow","from":"follower","to":"author"}"#)
        var ids: [Visibility: Int64] = [:]
        for visibility in Visibility.allCases {
            ids[visibility] = try await store.post("\(visibility) #tag @addressee", by: author, visibility).id
        }
        let quiet = try await store.post("to nobody in particular", by: author, .followers).id
        let everything = Set(ids.values)
        let open = Set([ids[.public], ids[.unlisted]].compactMap(\.self))
        let expected: [(Int64?, Set<Int64>)] = [
            (nil, open), (stranger.id, open), (addressee.id, everything), (author.id, everything.union([quiet])),
            (follower.id, open.union([ids[.followers], quiet].compactMap(\.self))),
        ]
        for (viewer, seen) in expected {
            let page = Pagination(limit: 40)
            for timeline in [Timeline.classic, .account(author.id)] {
                let found = try await store.timelines.timeline(timeline, page: page, for: viewer).entries
                #expect(Set(found.map(\.id)) == seen, "\(timeline) for \(viewer ?? 0)")
            }
            for timeline in [Timeline.public, .tag("tag")] {
                let found = try await store.timelines.timeline(timeline, page: page, for: viewer).entries
                #expect(found.map(\.id) == [ids[.public]].compactMap(\.self))
            }
            for id in everything.union([quiet]) {
                #expect((try await store.statuses.status(id: id, for: viewer) != nil) == seen.contains(id))
            }
        }
    }

    /// Any ids from clients are valid bounds, up to the limits of their type.
    @Test func extremeIDsAreValidBounds() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let ids = [try await store.post("one", by: ada).id, try await store.post("two", by: ada).id]
        let timelines = [
            Timeline.public, .home(ada.id), .classic, .account(ada.id), .tag("x"), .marked(.favourite, by: ada.id),
        ]
        for timeline in timelines {
            for edge in [Int64.min, -1, 0, 1, ids[0], .max - 1, .max] {
                for page in [
                    Pagination(limit: 2, maxID: edge), Pagination(limit: 2, sinceID: edge),
                    Pagination(limit: 2, minID: edge),
                    Pagination(limit: 2, maxID: edge, sinceID: edge, minID: edge),
                ] {
                    let found = try await store.timelines.timeline(timeline, page: page, for: ada.id).entries.map(\.id)
                    #expect(found.allSatisfy { (page.maxID ?? .max) > $0 && (page.floor ?? -1) < $0 }, "\(page)")
                }
            }
        }
        let home = Pagination(limit: 2, sinceID: .max)
        #expect(try await store.timelines.timeline(.home(ada.id), page: home, for: ada.id).entries.isEmpty)
    }

    @Test func pagesAreContiguous() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var ids: [Int64] = []
        for index in 0..<25 { ids.append(try await store.post("post \(index)", by: ada).id) }
        let newestFirst: [Int64] = ids.reversed()
        func read(_ page: Pagination) async throws -> [Int64] {
            try await store.ids(of: .public, page, for: nil)
        }
        #expect(try await read(Pagination(limit: 10)) == Array(newestFirst[..<10]))
        #expect(try await read(Pagination(limit: 10, maxID: newestFirst[9])) == Array(newestFirst[10..<20]))
        #expect(try await read(Pagination(limit: 10, sinceID: newestFirst[5])) == Array(newestFirst[..<5]))
        #expect(try await read(Pagination(limit: 3, sinceID: ids[0])) == Array(newestFirst[..<3]))
        #expect(try await read(Pagination(limit: 3, minID: ids[0])) == [ids[3], ids[2], ids[1]])
        #expect(try await read(Pagination(limit: 10, maxID: ids[3], minID: ids[0])) == [ids[2], ids[1]])
        #expect(try await read(Pagination(limit: 10, maxID: 0)).isEmpty)
        #expect(try await read(Pagination(limit: 10, sinceID: .max)).isEmpty)
    }

    @Test func bookmarksAreInTheOrderInWhichTheyWereSet() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var ids: [Int64] = []
        for index in 0..<4 { ids.append(try await store.post("post \(index)", by: ada).id) }
        for index in [2, 0, 3, 1] { _ = try await store.statuses.set(.bookmark, true, on: ids[index], by: ada.id) }
        func read(_ page: Pagination) async throws -> [Int64] {
            try await store.ids(of: .marked(.bookmark, by: ada.id), page, for: ada.id)
        }
        #expect(try await read(Pagination(limit: 10)) == [ids[1], ids[3], ids[0], ids[2]])
        #expect(try await read(Pagination(limit: 3, minID: 0)) == [ids[3], ids[0], ids[2]])
    }

    @Test func statusesRoundTrip() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        _ = try await store.account("bob")
        let text = "Hi @bob 👩‍👩‍👧 e\u{301} \u{202E}中文 #烹饪\r\nnext"
        let posted = try await store.post(text, by: ada)
        let read = try #require(try await store.statuses.status(id: posted.id, for: nil))
        #expect(read == posted)
        #expect(Array(read.text.utf8) == Array(text.utf8))
        #expect(read.mentions.map(\.username) == ["bob"])
        #expect(read.tags == ["烹饪"])
        let reply = try await store.post("@ada yes", by: ada, replyTo: posted.id)
        #expect(reply.inReplyToAccountID == ada.id)
        #expect(try await store.statuses.status(id: posted.id, for: nil)?.repliesCount == 1)
    }

    @Test func everyObservableChangeIsLoggedOnce() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let eve = try await store.account("eve")
        let start = try await store.changes.position().sequence
        let status = try await store.post("@bob @eve @ada", by: ada)
        let rows = try await store.changes.changes(after: start, limit: 10)
        #expect(rows.map(\.kind) == [.statusCreated, .mentioned, .notified, .mentioned, .notified])
        #expect(rows.map(\.account) == [ada.id, bob.id, bob.id, eve.id, eve.id])
        #expect(rows.filter { $0.kind != .notified }.allSatisfy { $0.subject == status.id })
        #expect(try await store.changes.position().sequence == start + 5)
    }

    @Test func logRowsOfAClockThatWasAheadArePruned() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let year: Int64 = 365 * 86_400_000
        store.clock.now += year
        try await withThrowingTaskGroup { group in
            for _ in 0..<1100 { group.addTask { try await store.changes.recordEmojiChange() } }
            try await group.waitForAll()
        }
        store.clock.now -= year
        let start = store.clock.now
        #expect(try await store.changes.prune(before: start) == 0)
        try await store.post("one", by: ada)
        store.clock.now += 1000
        try await store.post("two", by: ada)
        var pruned = 0
        for _ in 0..<5 { pruned += try await store.changes.prune(before: store.clock.now) }
        #expect(pruned > 1100)
        #expect(try await store.changes.changes(after: 0, limit: 10).allSatisfy { $0.at >= store.clock.now })
    }

    @Test func oldLogRowsArePruned() async throws {
        let store = try TestStore()
        _ = try await store.account("ada")
        store.clock.now += 1000
        _ = try await store.account("bob")
        let last = try await store.changes.position().sequence
        #expect(try await store.changes.prune(before: store.clock.now) == 1)
        #expect(try await store.changes.changes(after: 0, limit: 10).map(\.sequence) == [last])
        // The newest row is kept, because it determines the position of the log.
        #expect(try await store.changes.prune(before: .max) == 0)
        #expect(try await store.changes.position().sequence == last)
        _ = try await store.account("eve")
        #expect(try await store.changes.position().sequence == last + 1)
    }

    @Test(arguments: ["", " \n ", String(repeating: "x", count: 501), String(repeating: "👩‍👩‍👧‍👦", count: 500) + "x"])
    func invalidTextsAreRejected(text: String) async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        await #expect(throws: FeedError.self) { try await store.post(text, by: ada) }
        #expect(try await store.accounts.counts().statuses == 0)
    }

    @Test func idempotencyKeyPreventsDoublePosts() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        var draft = StatusDraft(text: "once")
        draft.idempotencyKey = "key"
        let ids = try await withThrowingTaskGroup(of: Int64.self) { [draft] group in
            for _ in 0..<20 { group.addTask { try await posting.post(draft, by: ada).id } }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await posting.post(draft, by: bob).id != ids.first)
        store.clock.now += 86_400_001
        #expect(try await posting.post(draft, by: ada).id != ids.first)
        #expect(try await store.accounts.counts().statuses == 3)
    }

    @Test func tokensAreCreatedAndRevoked() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let tokens = Authentication(store: store.tokens)
        let secret = try await tokens.create(
            for: ada.id, scopes: try ScopeSet(parsing: "read"), application: ClientApplication(name: "test"))
        #expect(try await tokens.username(secret) == "ada")
        #expect(try await tokens.username(secret + "x") == nil)
        let stored = try await store.database.read { try $0.fetchAll("SELECT * FROM token").description }
        #expect(!stored.contains(secret))
        let listed = try await store.tokens.list(accountID: ada.id)
        #expect(listed.map(\.scopes.formatted) == ["read"])
        #expect(try await store.tokens.revoke(id: listed[0].id))
        #expect(try await !store.tokens.revoke(id: listed[0].id))
        #expect(try await tokens.username(secret) == nil)
    }
}

extension Authentication {
    fileprivate func username(_ secret: String) async throws -> String? {
        guard case .account(let viewer) = try await holder(secret) else { return nil }
        return viewer.account.username
    }
}

extension TestStore {
    /// The ids on a page, which are the same whether the content of its statuses is read with it or afterwards.
    fileprivate func ids(of timeline: Timeline, _ page: Pagination, for viewer: Int64?) async throws -> [Int64] {
        let read = try await timelines.timeline(timeline, page: page, for: viewer).entries.map(\.id)
        let listed = try await timelines.timeline(timeline, page: page, for: viewer) { ids, _ in ids.map { _ in nil } }
        #expect(listed.entries.map(\.entry.id) == read)
        return read
    }
}
