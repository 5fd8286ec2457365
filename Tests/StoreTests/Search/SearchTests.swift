import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct SearchTests {
    @Test func accountsAreFoundByName() async throws {
        let store = try TestStore()
        var ids: [String: Int64] = [:]
        for (name, shown) in [
            ("Ada", "Countess"), ("adam", ""), ("bob", "Ada Élan"), ("adele", "100%_sure"), ("gone", "Ada"),
        ] {
            var new = NewAccount(username: name)
            new.displayName = shown
            ids[name] = try await store.accounts.create(new).id
        }
        let gone = try #require(try await store.accounts.account(named: "gone"))
        try await store.suspend(gone)
        try await store.follows.follow(try #require(ids["adele"]), by: try #require(ids["bob"]))
        let cases: [(String, [String])] = [
            ("ada", ["Ada", "adam", "bob"]), ("ADA", ["Ada", "adam", "bob"]), ("ad", ["adele", "Ada", "adam", "bob"]),
            ("élan", ["bob"]), ("ÉLAN", ["bob"]), ("e\u{301}lan", ["bob"]), ("elan", ["bob"]), ("ｅｌａｎ", ["bob"]),
            ("count", ["Ada"]), ("%", ["adele"]), ("_", ["adele"]), ("zzz", []),
        ]
        for (text, expected) in cases {
            let found = try await store.search.accounts(matching: text, limit: 9, offset: 0, followedBy: nil)
            #expect(found.map(\.username) == expected, "\(text)")
            let second = try await store.search.accounts(matching: text, limit: 1, offset: 1, followedBy: nil)
            #expect(second.map(\.username) == Array(expected.dropFirst().prefix(1)), "\(text)")
        }
        let followed = try await store.search.accounts(matching: "ad", limit: 9, offset: 0, followedBy: ids["bob"])
        #expect(followed.map(\.username) == ["adele"])
    }

    /// However many names come before theirs in the alphabet.
    @Test func followedAccountsComeFirst() async throws {
        let store = try TestStore()
        let reader = try await store.account("reader")
        for number in 100..<330 { _ = try await store.account("ada\(number)") }
        var last = NewAccount(username: "zoe")
        last.displayName = "Zoe Adams"
        let followed = [try await store.account("adz"), try await store.accounts.create(last)]
        for account in followed { try await store.follows.follow(account.id, by: reader.id) }
        try await store.follows.follow(followed[1].id, by: followed[0].id)
        for (text, expected) in [("ad", ["zoe", "adz", "ada100"]), ("ada150", ["ada150"]), ("adz", ["adz"])] {
            let found = try await store.search.accounts(
                matching: text, limit: 3, offset: 0, followedBy: nil, for: reader.id)
            #expect(found.map(\.username) == expected)
        }
        let others = try await store.search.accounts(matching: "ad", limit: 1, offset: 0, followedBy: nil)
        #expect(others.map(\.username) == ["ada100"])
    }

    /// A hashtag that was never used in public must not be revealed.
    @Test func onlyPublicHashtagsAreFound() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        try await store.post("#Bikes #bikeshed #Böden", by: ada)
        for _ in 0..<3 { try await store.post("#bikes", by: ada) }
        try await store.post("#bikelane", by: ada, .followers)
        try await store.post("#bikepath", by: bob)
        try await store.suspend(bob)
        let cases: [(String, Int, Int, [String])] = [
            ("bike", 9, 0, ["bikes", "bikeshed"]), ("BIKE", 9, 0, ["bikes", "bikeshed"]), ("bike", 1, 1, ["bikeshed"]),
            ("bikes", 9, 0, ["bikes", "bikeshed"]), ("bö", 9, 0, ["boden"]), ("BO\u{308}DE", 9, 0, ["boden"]),
            ("x", 9, 0, []), ("bike", 9, 2, []),
        ]
        for (text, limit, offset, expected) in cases {
            #expect(try await store.search.tags(beginningWith: text, limit: limit, offset: offset) == expected)
        }
    }
}
