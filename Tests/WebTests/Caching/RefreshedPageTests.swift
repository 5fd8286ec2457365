import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedStore
@testable import FeedWeb

/// A home page that new posts have made stale keeps its entries, until a change may concern them.
@Suite(.hangLimit)
struct RefreshedPageTests {
    private let test: TestServices
    /// Counts queries of the position in the log: each attempt to refresh a page begins with one.
    private let engine: ObservedEngine
    private let client: TestClient
    private let token: String
    private let ada: Account
    private let bob: Account
    private let cleo: Account

    /// ada follows bob and cleo.
    init() async throws {
        let store: TestStore
        (store, engine) = try ObservedEngine.store(counting: "SELECT max(sequence) FROM change")
        test = try TestServices(store: store)
        client = TestClient(test.services)
        (ada, token) = try await test.account("ada")
        bob = try await test.account("bob").account
        cleo = try await test.account("cleo").account
        for other in [bob, cleo] { try await test.store.follows.follow(other.id, by: ada.id) }
    }

    /// The texts on ada's home page, or of what they boost.
    private func home(_ query: String = "") async throws -> [String] {
        struct Entry: Decodable {
            struct Boosted: Decodable { let content: String }
            let content: String
            let reblog: Boosted?
        }
        let headers = [.authorization: "Bearer " + token] as HTTPFields
        return try await client.execute(uri: "/api/v1/timelines/home" + query, method: .get, headers: headers) {
            try JSONDecoder().decode([Entry].self, from: Data($0.body.readableBytesView)).map {
                ($0.reblog?.content ?? $0.content).filter { !"</p>".contains($0) }
            }
        }
    }

    /// Ends ada's follow of bob without a row of the log: a page that has been read again lacks bob's statuses.
    private func forgetFollow() async throws {
        try await test.store.database.commits.write { [ada, bob] db in
            try db.execute("DELETE FROM follow WHERE follower_id = \(ada.id) AND followee_id = \(bob.id)")
        }
    }

    @Test func entriesAreKeptWhileOthersPost() async throws {
        let store = test.store
        let first = try await store.post("A", by: bob)
        #expect(try await home() == ["A"])
        #expect(try await home("?since_id=1") == ["A"])
        try await forgetFollow()
        let second = try await store.post("B", by: cleo)
        #expect(try await home() == ["B", "A"])
        #expect(try await home("?since_id=1") == ["B"])
        let other = try await store.post("other", by: try await test.account("dora").account)
        _ = try await store.boosts.boost(other.id, visibility: nil, by: cleo.id)
        _ = try await store.statuses.set(.favourite, true, on: first.id, by: cleo.id)
        try await store.post("C", by: ada)
        #expect(try await home() == ["C", "other", "B", "A"])
        // A mark of the viewer.
        _ = try await store.statuses.set(.bookmark, true, on: second.id, by: ada.id)
        #expect(try await home() == ["C", "other", "B"])
    }

    @Test(arguments: [1, 3, 20]) func pagesOfAnyLimitAreRefreshed(limit: Int) async throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
        try await test.store.post("A", by: bob)
        #expect(try await home("?limit=\(limit)") == ["A"])
        try await forgetFollow()
        for count in 2...letters.count {
            try await test.store.post(letters[count - 1], by: cleo)
            #expect(try await home("?limit=\(limit)") == Array(letters.prefix(count).reversed().prefix(limit)))
        }
    }

    /// Most pages that have to be read again are not tried first.
    @Test func onlyPagesThatMayBeRefreshedAreTried() async throws {
        func queries() async throws -> Int {
            let before = engine.statements
            _ = try await home()
            return engine.statements - before
        }
        let status = try await test.store.post("A", by: bob)
        _ = try await home()
        _ = try await test.store.statuses.set(.bookmark, true, on: status.id, by: ada.id)
        let others = try await queries()
        try await test.store.post("B", by: bob)
        #expect(try await queries() == others + 1)
    }

    /// The entries of a shorter page would be too few.
    @Test func pageIsReadAgainWithAnotherLimit() async throws {
        for text in ["A", "B", "C", "D"] { try await test.store.post(text, by: bob) }
        for (limit, text) in [(2, "E"), (3, "F"), (20, "G"), (3, "H")] {
            var values = ReloadableSettings.Values()
            values.limits.pageDefault = limit
            test.settings.replace(with: values)
            try await test.store.post(text, by: cleo)
            #expect(try await home().count == min(limit, 7), "limit \(limit)")
        }
    }

    /// The deleted status is older than those on the page.
    @Test func pageIsReadAgainAfterOtherChanges() async throws {
        let store = test.store
        let status = try await store.post("B", by: cleo)
        let changes: [() async throws -> Void] = [
            { [cleo] in _ = try await store.boosts.boost(status.id, visibility: nil, by: cleo.id) },
            { [ada] in try await store.lists.delete(try await store.list(of: ada).id, of: ada.id) },
            { [ada] in try await store.tagFollows.follow(tag: "tag", by: ada.id) },
            { [ada, cleo] in try await store.mutes.mute(cleo.id, by: ada.id, Mute()) },
            { [ada, cleo] in try await store.mutes.unmute(cleo.id, by: ada.id) },
            { [cleo] in _ = try await store.statuses.delete(id: status.id, by: cleo.id) },
        ]
        for (number, change) in changes.enumerated() {
            try await store.follows.follow(bob.id, by: ada.id)
            try await store.post("A", by: bob)
            #expect(try await home("?limit=2").first == "A")
            try await forgetFollow()
            try await store.post("C", by: cleo)
            try await change()
            #expect(try await home("?limit=2").contains("A") == (number == 0), "change \(number)")
            if number == 0 { _ = try await store.boosts.unboost(status.id, by: cleo.id) }
        }
    }
}
