import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct ListTests {
    /// ada, who follows bob; and cleo, whom nobody follows.
    private static func people() async throws -> (store: TestStore, ada: Account, bob: Account, cleo: Account) {
        let made = try await FeedFixture()
        try await made.store.follows.follow(made.bob.id, by: made.ada.id)
        return (made.store, made.ada, made.bob, made.cleo)
    }

    private static func kind(_ body: () async throws -> Void) async -> FeedError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? FeedError)?.kind
        }
    }

    @Test func listsBelongToTheirOwner() async throws {
        let (store, ada, bob, _) = try await Self.people()
        let list = try await store.list("friends", of: ada, [bob])
        #expect(try await store.lists.lists(of: ada.id) == [list])
        #expect(list.repliesPolicy == .list && !list.isExclusive && list.ownerID == ada.id)
        #expect(try await store.lists.list(list.id, of: bob.id) == nil)
        #expect(try await store.lists.lists(of: bob.id) == [])
        #expect(try await store.lists.lists(of: bob.id, containing: bob.id) == [])
        #expect(try await store.lists.lists(of: ada.id, containing: bob.id) == [list])
        let actions: [@Sendable () async throws -> Void] = [
            { _ = try await store.lists.update(list.id, of: bob.id, ListDraft(title: "mine")) },
            { try await store.lists.delete(list.id, of: bob.id) },
            { try await store.lists.add([bob.id], to: list.id, of: bob.id) },
            { try await store.lists.remove([bob.id], from: list.id, of: bob.id) },
        ]
        for action in actions { #expect(await Self.kind(action) == .notFound) }
        #expect(try await store.lists.members(of: list.id, page: Pagination(limit: 9)).map(\.id) == [bob.id])
    }

    /// As in Mastodon, a list shows what home would: the languages of the follow. Its owner has no such restriction.
    @Test(arguments: HomeTests.languages)
    func listsAreRestrictedToTheLanguagesOfTheFollow(row: (follow: [String], shown: [String])) async throws {
        let (store, ada, bob, _) = try await Self.people()
        try await store.follows.follow(bob.id, by: ada.id, FollowUpdate(languages: row.follow))
        let list = try await store.list(of: ada, [bob])
        for language in ["de", "en", "en-GB", "e", "", "fr"] {
            try await store.post(language + ".", by: bob, language: language.isEmpty ? nil : language)
        }
        let reader = TimelineReader(.list(list), for: ada.id, now: store.clock.now)
        let page = try await reader.page(Pagination(limit: 20), in: store.database)
        #expect(page.entries.map(\.text) == row.shown.map { $0 + "." }.reversed())
    }

    @Test func everyChangeOfAListNamesItsOwner() async throws {
        let (store, ada, bob, _) = try await Self.people()
        let start = try await store.changes.position().sequence
        let list = try await store.list(of: ada, [bob], isExclusive: true)
        let renamed = try await store.lists.update(list.id, of: ada.id, ListDraft(title: "new"))
        #expect(renamed.title == "new" && renamed.isExclusive)
        #expect(try await store.lists.update(list.id, of: ada.id, ListDraft(title: "new")) == renamed)
        try await store.lists.remove([bob.id], from: list.id, of: ada.id)
        try await store.lists.remove([bob.id], from: list.id, of: ada.id)
        try await store.lists.delete(list.id, of: ada.id)
        let changes = try await store.changes.changes(after: start, limit: 100)
        // What changes nothing is not logged.
        #expect(changes.count == 5)
        #expect(changes.allSatisfy { $0.kind == .listChanged && $0.account == ada.id && $0.subject == list.id })
    }

    @Test func membersAreFollowedOrTheOwner() async throws {
        let (store, ada, bob, cleo) = try await Self.people()
        let list = try await store.list(of: ada)
        #expect(await Self.kind { try await store.lists.add([cleo.id], to: list.id, of: ada.id) } == .notFound)
        // All or nothing.
        #expect(await Self.kind { try await store.lists.add([bob.id, cleo.id], to: list.id, of: ada.id) } == .notFound)
        #expect(try await store.lists.memberIDs(of: list.id) == [])
        try await store.lists.add([bob.id, ada.id], to: list.id, of: ada.id)
        #expect(try await store.lists.memberIDs(of: list.id) == [ada.id, bob.id])
        #expect(await Self.kind { try await store.lists.add([bob.id], to: list.id, of: ada.id) } == .invalid)
        try await store.lock(cleo)
        try await store.follows.follow(cleo.id, by: ada.id)
        // A request is not a follow.
        #expect(await Self.kind { try await store.lists.add([cleo.id], to: list.id, of: ada.id) } == .notFound)
        try await store.follows.accept(ada.id, by: cleo.id)
        try await store.lists.add([cleo.id], to: list.id, of: ada.id)
        try await store.moderation.perform(.suspend, on: bob.id)
        #expect(
            try await store.lists.members(of: list.id, page: Pagination(limit: 9)).map(\.id) == [cleo.id, ada.id])
    }

    enum Ending: CaseIterable, Sendable { case unfollow, removal, block, blocked, accountRemoval, ownerRemoval }

    /// Whatever ends a follow removes the account from the lists, in the same transaction.
    @Test(arguments: Ending.allCases)
    func endOfAFollowEndsTheMembership(ending: Ending) async throws {
        let (store, ada, bob, cleo) = try await Self.people()
        try await store.follows.follow(cleo.id, by: ada.id)
        try await store.follows.follow(bob.id, by: cleo.id)
        let lists = [try await store.list(of: ada, [bob, cleo]), try await store.list(of: ada, [bob])]
        let other = try await store.list(of: cleo, [bob])
        switch ending {
        case .unfollow: try await store.follows.unfollow(bob.id, by: ada.id)
        case .removal: try await store.follows.removeFollower(ada.id, from: bob.id)
        case .block: try await store.blocks.block(bob.id, by: ada.id)
        case .blocked: try await store.blocks.block(ada.id, by: bob.id)
        case .accountRemoval:
            try await store.moderation.perform(.remove, on: bob.id)
            #expect(try await store.deletion.complete(bob.id))
        case .ownerRemoval:
            try await store.moderation.perform(.remove, on: ada.id)
            #expect(try await store.deletion.complete(ada.id))
            #expect(try await store.lists.lists(of: ada.id) == [])
        }
        #expect(try await store.lists.memberIDs(of: lists[0].id) == (ending == .ownerRemoval ? [] : [cleo.id]))
        #expect(try await store.lists.memberIDs(of: lists[1].id) == [])
        // Lists of others keep the account as long as it exists.
        #expect(try await store.lists.memberIDs(of: other.id) == (ending == .accountRemoval ? [] : [bob.id]))
    }

    @Test func numbersOfListsAndMembersAreLimited() async throws {
        let (store, ada, bob, _) = try await Self.people()
        let list = try await store.list(of: ada)
        for number in 1..<ListRule.maximumLists { _ = try await store.list("list \(number)", of: ada) }
        #expect(await Self.kind { _ = try await store.list(of: ada) } == .invalid)
        #expect(try await store.lists.lists(of: ada.id).count == ListRule.maximumLists)
        try await store.database.commits.write { db in
            for number in 0..<ListRule.maximumMembers - 1 {
                let id = try AccountStore.insert(
                    NewAccount(username: "user\(number)"), createdAt: 1, importID: 0, into: db)
                try db.execute(
                    """
                    INSERT INTO list_member (list_id, account_id, owner_id) VALUES (\(list.id), \(id), \(ada.id))
                    """)
            }
        }
        let both = [ada.id, bob.id]
        #expect(await Self.kind { try await store.lists.add(both, to: list.id, of: ada.id) } == .invalid)
        try await store.lists.add([bob.id], to: list.id, of: ada.id)
        #expect(await Self.kind { try await store.lists.add([ada.id], to: list.id, of: ada.id) } == .invalid)
        #expect(try await store.lists.memberIDs(of: list.id).count == ListRule.maximumMembers)
    }

    @Test func membersArePagedById() async throws {
        let (store, ada, bob, cleo) = try await Self.people()
        try await store.follows.follow(cleo.id, by: ada.id)
        let list = try await store.list(of: ada, [bob, cleo])
        func ids(_ page: Pagination) async throws -> [Int64] {
            try await store.lists.members(of: list.id, page: page).map(\.id)
        }
        #expect(try await ids(Pagination(limit: 1)) == [cleo.id])
        #expect(try await ids(Pagination(limit: 9, maxID: cleo.id)) == [bob.id])
        #expect(try await ids(Pagination(limit: 1, minID: 0)) == [bob.id])
        #expect(try await ids(Pagination(limit: 9, sinceID: bob.id)) == [cleo.id])
    }
}
