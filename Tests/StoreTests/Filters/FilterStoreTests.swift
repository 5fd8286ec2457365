import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct FilterStoreTests {
    private static func draft(
        _ title: String = "cats", _ contexts: [Filter.Context] = [.home], keywords: [FilterDraft.Keyword] = []
    ) -> FilterDraft {
        var draft = FilterDraft(title: title, contexts: contexts)
        draft.keywords = keywords
        return draft
    }

    private static func refusal(_ action: () async throws -> Void) async -> FeedError.Kind? {
        await #expect(throws: FeedError.self) { try await action() }?.kind
    }

    @Test func filterIsStoredWithItsKeywords() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        var draft = Self.draft(
            "cats", [.public, .home], keywords: [.init(text: "cat"), .init(text: "purr", isWholeWord: false)])
        (draft.action, draft.expiry) = (.hide, .at(store.clock.now + 5000))
        let start = try await store.changes.position().sequence
        let filter = try await store.filters.create(draft, by: ada.id)
        #expect(filter.title == "cats" && filter.contexts == [.home, .public] && filter.action == .hide)
        #expect(filter.expiresAt == store.clock.now + 5000)
        #expect(filter.keywords.map(\.text) == ["cat", "purr"] && filter.keywords.map(\.isWholeWord) == [true, false])
        #expect(try await store.filters.filter(filter.id, of: ada.id) == filter)
        #expect(try await store.filters.filters(of: ada.id) == [filter])
        #expect(try await store.filters.filters(of: bob.id).isEmpty)
        let rows = try await store.changes.changes(after: start, limit: 9)
        #expect(rows.map(\.kind) == [.filterChanged] && rows[0].account == ada.id && rows[0].subject == filter.id)
    }

    @Test func filtersOfManyAccountsAreRead() async throws {
        let store = try TestStore()
        var accounts: [Account] = []
        for name in ["ada", "bob", "cleo", "dora"] { accounts.append(try await store.account(name)) }
        let status = try await store.post("hello", by: accounts[3])
        for (number, account) in accounts.dropLast().enumerated() {
            for title in 0..<number {
                let made = try await store.filters.create(
                    Self.draft("\(title)", keywords: [.init(text: "one\(number)"), .init(text: "two")]), by: account.id)
                _ = try await store.filters.add(status: status.id, to: made.id, of: account.id)
            }
        }
        let found = try await store.filters.filters(of: accounts.dropFirst().map(\.id) + [1])
        // Accounts without filters, and others, are not part of the result.
        #expect(Set(found.keys) == [accounts[1].id, accounts[2].id])
        for account in accounts[1...2] {
            #expect(try await store.filters.filters(of: account.id) == found[account.id])
        }
        #expect(found[accounts[2].id]?.map(\.statuses.count) == [1, 1])
        #expect(try await store.filters.filters(of: [Int64]()).isEmpty)
    }

    @Test func updateChangesOnlyWhatIsGiven() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let made = try await store.filters.create(
            Self.draft(keywords: [.init(text: "one"), .init(text: "two"), .init(text: "three")]), by: ada.id)
        let ids = made.keywords.map(\.id)
        let start = try await store.changes.position().sequence
        #expect(try await store.filters.update(made.id, of: ada.id, FilterDraft()) == made)
        #expect(try await store.kinds(after: start).isEmpty)
        var draft = FilterDraft()
        draft.title = "dogs"
        draft.keywords = [
            .init(id: ids[0], isWholeWord: false), .init(id: ids[1], isRemoved: true), .init(text: "four"),
        ]
        let changed = try await store.filters.update(made.id, of: ada.id, draft)
        #expect(changed.title == "dogs" && changed.contexts == [.home])
        #expect(changed.keywords.map(\.text) == ["one", "three", "four"])
        #expect(changed.keywords.map(\.isWholeWord) == [false, true, true])
        #expect(try await store.kinds(after: start) == [.filterChanged])
        draft.keywords = [.init(id: ids[1], text: "gone")]
        #expect(await Self.refusal { _ = try await store.filters.update(made.id, of: ada.id, draft) } == .notFound)
        #expect(try await store.filters.filters(of: ada.id) == [changed])
    }

    @Test func entriesAreAddedAndDeleted() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let (open, hidden) = (try await store.post("hello", by: bob), try await store.post("no", by: bob, .direct))
        let filter = try await store.filters.create(Self.draft(), by: ada.id)
        let keyword = try await store.filters.add(.init(text: "cat"), to: filter.id, of: ada.id)
        let entry = try await store.filters.add(status: open.id, to: filter.id, of: ada.id)
        let stored = try await store.filters.filter(filter.id, of: ada.id)
        #expect(stored.keywords == [keyword] && stored.statuses == [entry] && entry.statusID == open.id)
        #expect(try await store.filters.keyword(keyword.id, of: ada.id).filter == stored)
        #expect(try await store.filters.status(entry.id, of: ada.id) == entry)
        for id in [open.id, hidden.id, 1] {
            let kind = await Self.refusal { _ = try await store.filters.add(status: id, to: filter.id, of: ada.id) }
            #expect(kind == .invalid, "\(id)")
        }
        try await store.filters.deleteKeyword(keyword.id, of: ada.id)
        try await store.filters.deleteStatus(entry.id, of: ada.id)
        #expect(try await store.filters.filters(of: ada.id) == [filter])
        _ = try await store.filters.add(status: open.id, to: filter.id, of: ada.id)
        _ = try await store.statuses.delete(id: open.id, by: bob.id)
        #expect(try await store.filters.filter(filter.id, of: ada.id).statuses.isEmpty)
    }

    @Test func filtersOfOthersDoNotExist() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let status = try await store.post("hello", by: bob)
        let filter = try await store.filters.create(Self.draft(keywords: [.init(text: "cat")]), by: ada.id)
        let entry = try await store.filters.add(status: status.id, to: filter.id, of: ada.id)
        let keyword = filter.keywords[0].id
        let before = try await store.filters.filters(of: ada.id)
        let actions: [@Sendable (FilterStore) async throws -> Void] = [
            { _ = try await $0.filter(filter.id, of: bob.id) },
            { _ = try await $0.update(filter.id, of: bob.id, FilterDraft(title: "mine")) },
            { try await $0.delete(filter.id, of: bob.id) }, { _ = try await $0.keyword(keyword, of: bob.id) },
            { _ = try await $0.add(.init(text: "mine"), to: filter.id, of: bob.id) },
            { try await $0.deleteKeyword(keyword, of: bob.id) }, { _ = try await $0.status(entry.id, of: bob.id) },
            { _ = try await $0.add(status: status.id, to: filter.id, of: bob.id) },
            { try await $0.deleteStatus(entry.id, of: bob.id) },
        ]
        for action in actions { #expect(await Self.refusal { try await action(store.filters) } == .notFound) }
        #expect(try await store.filters.filters(of: ada.id) == before)
    }

    /// Version 1 of the API shows keywords as filters.
    @Test func keywordEndsItsFilterIfNothingIsLeft() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let filter = try await store.filters.create(
            Self.draft(keywords: [.init(text: "one"), .init(text: "two")]), by: ada.id)
        let ids = filter.keywords.map(\.id)
        let draft = FilterDraft(contexts: [.thread])
        let kind = await Self.refusal {
            _ = try await store.filters.update(filter.id, of: ada.id, draft, hasOnly: ids[0])
        }
        #expect(kind == .invalid)
        try await store.filters.deleteKeyword(ids[1], of: ada.id, endsFilter: true)
        #expect(try await store.filters.filters(of: ada.id).map(\.id) == [filter.id])
        let changed = try await store.filters.update(filter.id, of: ada.id, draft, hasOnly: ids[0])
        #expect(changed.contexts == [.thread])
        try await store.filters.deleteKeyword(ids[0], of: ada.id, endsFilter: true)
        #expect(try await store.filters.filters(of: ada.id).isEmpty)
    }

    @Test func limitsAreEnforcedAndNothingIsStoredBeyondThem() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let many = (0..<999).map { FilterDraft.Keyword(text: "k\($0)") }
        let first = try await store.filters.create(Self.draft(keywords: many), by: ada.id)
        let second = try await store.filters.create(Self.draft(), by: ada.id)
        _ = try await store.filters.add(.init(text: "last"), to: second.id, of: ada.id)
        for id in [first.id, second.id] {
            let kind = await Self.refusal { _ = try await store.filters.add(.init(text: "more"), to: id, of: ada.id) }
            #expect(kind == .invalid)
        }
        for _ in 0..<98 { _ = try await store.filters.create(Self.draft(), by: ada.id) }
        #expect(await Self.refusal { _ = try await store.filters.create(Self.draft(), by: ada.id) } == .invalid)
        let stored = try await store.filters.filters(of: ada.id)
        #expect(stored.count == 100 && stored.flatMap(\.keywords).count == 1000)
    }

    @Test func keywordsHaveALimitedSizeTogether() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let long = (0..<64).map { FilterDraft.Keyword(text: String(repeating: "x", count: 509) + String(100 + $0)) }
        let filter = try await store.filters.create(Self.draft(keywords: long), by: ada.id)
        let kind = await Self.refusal { _ = try await store.filters.add(.init(text: "x"), to: filter.id, of: ada.id) }
        #expect(kind == .invalid)
        try await store.filters.deleteKeyword(filter.keywords[0].id, of: ada.id)
        _ = try await store.filters.add(.init(text: "x"), to: filter.id, of: ada.id)
    }

    @Test func expiryIsLoggedOnce() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var filters: [Filter] = []
        for seconds in 1...3 {
            var draft = Self.draft()
            draft.expiry = seconds == 3 ? .never : .at(store.clock.now + 1000 * Int64(seconds))
            filters.append(try await store.filters.create(draft, by: ada.id))
        }
        let start = try await store.changes.position().sequence
        #expect(try await store.filters.logExpired() == 0)
        for expired in 1...2 {
            store.clock.now += 1000
            #expect(try await store.filters.logExpired() == 1)
            #expect(try await store.filters.logExpired() == 0)
            let rows = try await store.changes.changes(after: start, limit: 9)
            #expect(rows.map(\.kind) == Array(repeating: .filterChanged, count: expired))
            #expect(rows.last?.subject == filters[expired - 1].id && rows.last?.account == ada.id)
        }
        // An expired filter remains, and may be used again.
        var draft = FilterDraft()
        draft.expiry = .at(store.clock.now + 1000)
        _ = try await store.filters.update(filters[0].id, of: ada.id, draft)
        #expect(try await store.filters.logExpired() == 0)
        store.clock.now += 1000
        #expect(try await store.filters.logExpired() == 1)
        #expect(try await store.filters.filters(of: ada.id).count == 3)
    }
}
