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
}
