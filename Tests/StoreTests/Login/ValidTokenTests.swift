import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The valid ones among many tokens.
@Suite(.hangLimit)
struct ValidTokenTests {
    private static func hash(_ number: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 255)]
    }

    private static func insert(_ numbers: Range<Int>, of account: Int64?, _ store: TestStore) async throws {
        let now = store.clock.now
        try await store.database.commits.write { db in
            for number in numbers {
                let row = TokenRow(
                    hash: hash(number), accountID: account, scopes: .all, application: ClientApplication(name: "app"))
                try row.insert(into: db, at: now)
            }
        }
    }

    @Test func validTokensAreFound() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        try await Self.insert(0..<2, of: ada.id, store)
        try await Self.insert(2..<3, of: bob.id, store)
        try await Self.insert(3..<4, of: nil, store)
        let all = Set((0..<5).map(Self.hash))
        let (first, second, third, application) = (Self.hash(0), Self.hash(1), Self.hash(2), Self.hash(3))
        #expect(
            try await store.tokens.valid(among: all)
                == [first: ada.id, second: ada.id, third: bob.id, application: nil])
        #expect(try await store.tokens.valid(among: [second]) == [second: ada.id])
        _ = try await store.tokens.revoke(hash: first)
        _ = try await store.moderation.perform(.suspend, on: bob.id)
        #expect(try await store.tokens.valid(among: all) == [second: ada.id, application: nil])
        #expect(try await store.tokens.valid(among: []).isEmpty)
    }

    /// More than one query takes.
    @Test func manyTokensAreReadInParts() async throws {
        let store = try TestStore()
        let (ada, count) = (try await store.account("ada"), 2 * TokenStore.tokensPerQuery + 1)
        try await Self.insert(0..<count, of: ada.id, store)
        let found = try await store.tokens.valid(among: Set((0..<count + 50).map(Self.hash)))
        #expect(found.count == count && Set(found.values) == [ada.id])
    }
}
