import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct SearchTests {
    private struct Found: Decodable {
        struct TagDay: Decodable {
            var day: String
            var uses: String
            var accounts: String
        }

        struct Tag: Decodable {
            var name: String
            var url: String
            var history: [TagDay]
        }

        var accounts: [Entity.Account]
        var statuses: [Entity.Status]
        var hashtags: [Tag]
    }

    /// A query, and the accounts and hashtags it finds.
    static let cases: [(String, [String], [String])] = [
        ("q=ada", ["ada", "adam"], ["ada"]), ("q=@ADA", ["ada", "adam"], []), ("q=ada@feed.test", ["ada"], []),
        ("q=@Ada@FEED.test&resolve=true", ["ada"], []), ("q=ada@other.test", [], []), ("q=nobody@feed.test", [], []),
        ("q=%23ad", [], ["ada"]), ("q=ada&type=accounts", ["ada", "adam"], []), ("q=ada&type=hashtags", [], ["ada"]),
        ("q=ada&type=statuses", [], []), ("q=ada&limit=1", ["ada"], ["ada"]), ("q=ada&limit=1&offset=1", ["adam"], []),
        ("q=ada&following=true&type=accounts", ["adam"], []), ("q=++ada++", ["ada", "adam"], ["ada"]),
    ]

    @Test func allThreeListsAreAlwaysPresent() async throws {
        let fixture = try await SocialFixture("ada", "adam", "bob")
        try await fixture.test.store.post("#ada", by: try fixture.person("bob").account)
        try await fixture.run { client in
            try await client.relate("bob", "follow", "adam")
            for (query, names, tags) in Self.cases {
                let found = try await client.send("bob", .get, "/api/v2/search?" + query).decoded(Found.self)
                #expect(found.accounts.map(\.username) == names, "\(query)")
                #expect(found.hashtags.map(\.name) == tags && found.statuses.isEmpty, "\(query)")
                #expect(found.hashtags.allSatisfy { $0.url == "http://feed.test/tags/ada" })
            }
            let accounts = try await client.send("bob", .get, "/api/v1/accounts/search?q=ada&limit=1")
            #expect(try accounts.decoded([Entity.Account].self).map(\.username) == ["ada"])
            #expect(try await client.send("bob", .get, "/api/v1/accounts/search?q=").text == "[]")
        }
    }

    @Test func invalidSearchesAreRejected() async throws {
        let fixture = try await SocialFixture("ada")
        let cases: [(String?, String, Int)] = [
            (nil, "/api/v2/search?q=ada", 200), (nil, "/api/v2/search?q=ada&resolve=false", 200),
            (nil, "/api/v2/search?q=ada&resolve=true", 401), (nil, "/api/v2/search?q=ada&offset=1", 401),
            (nil, "/api/v1/accounts/search?q=ada", 401), ("ada", "/api/v2/search", 400),
            ("ada", "/api/v2/search?q=+", 400), ("ada", "/api/v2/search?q=" + String(repeating: "x", count: 501), 422),
            ("ada", "/api/v2/search?q=%F4%8F%BF%BF", 200), ("ada", "/api/v2/search?q=a&offset=-1&limit=-1", 200),
            ("ada", "/api/v2/search?q=%00", 422),
        ]
        try await fixture.run { client in
            for (name, path, status) in cases {
                let response = try await client.send(name, .get, path)
                #expect(response.status == status, "\(path.prefix(60)): \(response.text)")
            }
        }
    }
}
