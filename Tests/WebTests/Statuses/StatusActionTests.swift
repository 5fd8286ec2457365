import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// The accounts that boosted or favourited a status, page by page.
@Suite(.hangLimit)
struct ReactionTests {
    /// Accounts react in a different order from their creation. Boosts are listed in the order of boosting, favourites
    /// in the order of accounts.
    private static let order = ["cleo", "ada", "eve", "dora", "bob"]

    @Test(arguments: [
        ("reblog", "reblogged_by", ["bob", "dora", "eve", "ada", "cleo"]),
        ("favourite", "favourited_by", ["eve", "dora", "cleo", "bob", "ada"]),
    ])
    func pagesAreContiguousInBothDirections(act: String, list: String, expected: [String]) async throws {
        try await WebAPI.run { api in
            let author = try await api.person("author")
            let id = try await api.post("liked", by: author)
            var people: [String: Member] = [:]
            for name in Self.order.sorted() { people[name] = try await api.person(name) }
            for name in Self.order {
                try await api.must(.post, "/api/v1/statuses/\(id)/\(act)", as: try #require(people[name]))
            }
            let path = "/api/v1/statuses/\(id)/\(list)?limit=2"
            let down = try await Self.walk(api, author, path) { $0.next }
            #expect(down.map(\.count) == [2, 2, 1] && down.flatMap(\.self) == expected)
            let last = try await api.send(.get, path, as: author)
            let newest = try #require(LinkHeader(Self.link(last)).previous)
            #expect(try await api.send(.get, Self.path(newest), as: author).text == "[]")
            let up = try await Self.walk(api, author, path + "&min_id=1") { $0.previous }
            #expect(up.reversed().flatMap(\.self) == expected)
        }
    }

    private static func walk(
        _ api: WebAPI, _ viewer: Member, _ path: String, _ follow: (LinkHeader) -> String?
    ) async throws -> [[String]] {
        var pages: [[String]] = []
        var address: String? = path
        while let current = address, pages.count < 10 {
            let response = try await api.send(.get, current, as: viewer)
            let names = (response.json?.list ?? []).compactMap { $0["username"]?.text }
            if !names.isEmpty { pages.append(names) }
            address = names.isEmpty ? nil : follow(LinkHeader(link(response))).map(Self.path)
        }
        return pages
    }

    private static func link(_ response: WebResponse) -> String {
        HTTPField.Name("Link").flatMap { response.headers[$0] } ?? ""
    }

    private static func path(_ address: String) -> String { address.replacing("http://feed.test", with: "") }
}

@Suite(.hangLimit)
struct PinLimitTests {
    @Test func pinLimitMatchesTheInstance() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let instance = try await api.must(.get, "/api/v2/instance", as: ada)
            let limit = try #require(instance["configuration"]?["accounts"]?["max_pinned_statuses"]?.number)
            var statuses: [Int] = []
            for index in 0...Int(limit) {
                let id = try await api.post("post \(index)", by: ada)
                statuses.append(try await api.send(.post, "/api/v1/statuses/\(id)/pin", as: ada).status)
            }
            #expect(statuses == Array(repeating: 200, count: Int(limit)) + [422])
        }
    }

    /// Apps offer to pin a status that has the member. Mastodon has it for the author's own statuses that can be pinned.
    @Test(arguments: ["public", "unlisted", "private", "direct"])
    func onlyStatusesThatCanBePinnedSayWhetherTheyAre(_ visibility: String) async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let path = "/api/v1/statuses/" + (try await api.post("@bob hello", by: ada, visibility))
            let own = try await api.must(.get, path, as: ada)["pinned"]
            let others = try await api.must(.get, path, as: bob)["pinned"]
            let expected: JSONValue? = visibility == "direct" ? nil : .flag(false)
            #expect(own == expected && others == nil)
        }
    }
}
