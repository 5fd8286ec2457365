import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// Request limits as seen by an application.
@Suite(.timeLimit(.minutes(15)))
struct RateLimitTests {
    private static func limits() -> Limits {
        var limits = Limits()
        limits.requests = RateLimit(5, perSeconds: 300)
        limits.applicationRegistrations = RateLimit(2, perSeconds: 600)
        return limits
    }

    private static func headers(_ response: Person.Response) throws -> [String?] {
        try ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map {
            response.headers[try #require(HTTPField.Name($0))]
        }
    }

    @Test func requestsAreCountedPerAccountAndPerAddress() async throws {
        let test = try TestServices(limits: Self.limits(), enforcesRateLimits: true)
        let (_, token) = try await test.account("bob")
        let reset = ISO8601.text(milliseconds: (test.store.clock.now / 300_000 + 1) * 300_000)
        try await Person.served(test) { test, person in
            let bob: HTTPFields = [.authorization: "Bearer " + token]
            // Error responses count and carry the headers as well.
            let paths = ["/api/v1/instance", "/api/v1/statuses/1", "/api/v1/nothing", "/api/v1/lists", "/oauth/token"]
            for (index, path) in paths.enumerated() {
                let response = try await person.send(.get, path)
                #expect(try Self.headers(response) == ["5", "\(4 - index)", reset], "\(path)")
            }
            let refused = try await person.send(.get, "/api/v1/instance")
            #expect(refused.status == 429 && refused.object["error"] as? String == "Too many requests")
            #expect(try Self.headers(refused) == ["5", "0", reset])
            let wait = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...300).contains(wait))
            // Another key, and a path that is not counted.
            #expect(try await person.send(.get, "/api/v1/instance", headers: bob).status == 200)
            let page = try await person.send(.get, "/")
            #expect(try page.status == 200 && Self.headers(page) == [nil, nil, nil])
            test.store.clock.now += 300_000
            #expect(try await person.send(.get, "/api/v1/instance").status == 200)
        }
    }

    @Test func applicationRegistrationsAreCountedSeparately() async throws {
        let test = try TestServices(limits: Self.limits(), enforcesRateLimits: true)
        try await Person.served(test) { _, person in
            for status in [200, 200, 429] {
                let response = try await person.send(.post, "/api/v1/apps/", ["client_name": "x"])
                #expect(response.status == status)
            }
            let other = try await person.send(.get, "/api/v1/instance")
            #expect(other.status == 200)
        }
    }
}
