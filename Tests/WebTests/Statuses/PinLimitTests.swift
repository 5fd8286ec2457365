import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

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
