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
        ("q=@Ada@FEED.test&resolve=true", ["ada"], []), ("q=ada@", ["ada", "adam"], []),
        ("q=http://feed.test/@ADA", ["ada"], []), ("q=https://feed.test/@ada/&resolve=true", ["ada"], []),
        ("q=http://feed.test/@ada&type=hashtags", [], []), ("q=http://other.test/@ada", [], []),
        ("q=http://feed.test/@ada&offset=1", [], []), ("q=http://feed.test/@nobody", [], []),
        ("q=ada@other.test", [], []), ("q=nobody@feed.test", [], []),
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
                #expect(found.hashtags.map(\.name) == tags, "\(query)")
                #expect(found.hashtags.allSatisfy { $0.url == "http://feed.test/tags/ada" })
            }
            let accounts = try await client.send("bob", .get, "/api/v1/accounts/search?q=ada&limit=1")
            #expect(try accounts.decoded([Entity.Account].self).map(\.username) == ["ada"])
            #expect(try await client.send("bob", .get, "/api/v1/accounts/search?q=").text == "[]")
        }
    }

    /// The address of a status finds it for those who may see it.
    @Test func statusIsFoundByItsAddress() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let open = try await api.post("open", by: ada)
            let hidden = try await api.post("hidden", by: ada, "private")
            let boost = try await api.must(.post, "/api/v1/statuses/\(open)/reblog", as: bob)["id"]?.text ?? ""
            func found(_ address: String, as person: Member?, _ more: String = "") async throws -> [String] {
                let path = "/api/v2/search?q=http://feed.test\(address)" + more
                let response = try await api.send(.get, path, as: person)
                #expect(response.json?["accounts"]?.list == [] && response.json?["hashtags"]?.list == [], "\(path)")
                return try #require(response.json?["statuses"], "\(path): \(response.summary)").ids
            }
            for person in [ada, bob, nil] {
                #expect(try await found("/@ada/\(open)", as: person) == [open])
                #expect(try await found("/@bob/\(boost)", as: person) == [boost])
                #expect(try await found("/@ada/\(hidden)", as: person) == (person?.id == ada.id ? [hidden] : []))
            }
            #expect(try await found("/@ADA/\(open)/?x=%23y", as: bob) == [open])
            #expect(try await found("/statuses/\(open)", as: bob, "&type=statuses&resolve=true") == [open])
            #expect(try await found("/@bob/\(open)", as: bob) == [])
            #expect(try await found("/@ada/\(open)", as: bob, "&type=accounts") == [])
            #expect(try await found("/@ada/1", as: bob) == [])
            let status = try await api.must(.get, "/api/v1/statuses/\(open)", as: bob)
            for key in ["url", "uri"] {
                let path = try #require(status[key]?.text?.dropFirst("http://feed.test".count))
                #expect(try await found(String(path), as: bob) == [open])
            }
            let accounts = try await api.must(.get, "/api/v1/accounts/search?q=http://feed.test/@ada", as: bob)
            #expect(accounts.list?.map { $0["username"]?.text } == ["ada"])
        }
    }

    /// A handle with the domain of this server names the same account everywhere.
    @Test func handleWithTheOwnDomainIsUnderstood() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let id = try await api.post("hello @Bob@Feed.test and @bob@other.test", by: ada, "direct")
            let status = try await api.must(.get, "/api/v1/statuses/\(id)", as: bob)
            #expect(status["mentions"]?.list?.map { $0["username"]?.text } == ["bob"])
            #expect(status["content"]?.text?.contains("@<span>bob</span></a> and @bob@other.test") == true)
            let note = WebBody.form("note=by+%40bob%40feed.test")
            let profile = try await api.must(.patch, "/api/v1/accounts/update_credentials", as: ada, note)
            #expect(profile["note"]?.text?.contains("http://feed.test/@bob") == true)
            for (acct, code) in [
                ("bob", 200), ("@BOB", 200), ("bob@feed.test", 200), ("@bob@FEED.test", 200), ("bob@other.test", 404),
                ("bob@", 404), ("", 404), ("bo%20b", 404), ("@bob@feed.test@feed.test", 404),
            ] {
                let found = try await api.send(.get, "/api/v1/accounts/lookup?acct=\(acct)")
                #expect(found.status == code, "\(acct): \(found.summary)")
            }
            let found = try await api.must(.get, "/api/v1/accounts/search?q=@bob@feed.test", as: ada)
            #expect(found.list?.map { $0["username"]?.text } == ["bob"])
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
