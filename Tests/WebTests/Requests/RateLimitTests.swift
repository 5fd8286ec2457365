import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Request limits as seen by an application.
@Suite(.hangLimit)
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

    /// Statuses, boosts and reports; follows; and uploads: each has its own limit and ends with 429.
    @Test(arguments: [
        ("/api/v1/statuses", "/api/v1/statuses/1/reblog"), ("/api/v1/statuses", "/api/v1/reports"),
        ("/api/v1/accounts/1/follow", "/api/v1/accounts/2/follow"),
        ("/files", "/FileUpload.aspx"),
    ])
    func actionsHaveTheirOwnLimits(path: String, other: String) async throws {
        var limits = Limits()
        limits.posts = RateLimit(3, perSeconds: 10_800)
        limits.follows = RateLimit(3, perSeconds: 86_400)
        limits.uploads = RateLimit(3, perSeconds: 3600)
        let test = try TestServices(limits: limits, enforcesRateLimits: true)
        let (_, token) = try await test.account("bob")
        let (_, neighbor) = try await test.account("eve")
        try await Person.served(test) { test, person in
            let bob: HTTPFields = [.authorization: "Bearer " + token]
            // Refused actions count as well.
            for (index, address) in [path, other, path].enumerated() {
                let response = try await person.send(.post, address, [:], headers: bob)
                #expect(try response.status != 429 && Self.headers(response).prefix(2) == ["3", "\(2 - index)"])
            }
            let refused = try await person.send(.post, other, [:], headers: bob)
            #expect(try refused.status == 429 && Self.headers(refused).prefix(2) == ["3", "0"])
            #expect(refused.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
            // Reads are still allowed, and another account has its own limit.
            #expect(try await person.send(.get, "/api/v1/timelines/home", headers: bob).status == 200)
            let free = try await person.send(
                .post, path, [:], headers: [.authorization: "Bearer " + neighbor])
            #expect(free.status != 429)
            test.store.clock.now += 86_400_000
            #expect(try await person.send(.post, path, [:], headers: bob).status != 429)
        }
    }

    /// The headers describe the limit that is reached first.
    @Test func headersDescribeTheTightestLimit() async throws {
        var limits = Limits()
        limits.requests = RateLimit(4, perSeconds: 300)
        limits.posts = RateLimit(3, perSeconds: 10_800)
        let test = try TestServices(limits: limits, enforcesRateLimits: true)
        let (_, token) = try await test.account("bob")
        try await Person.served(test) { _, person in
            let bob: HTTPFields = [.authorization: "Bearer " + token]
            let post = try await person.send(.post, "/api/v1/statuses", ["status": "x"], headers: bob)
            #expect(try post.status == 200 && Self.headers(post).prefix(2) == ["3", "2"])
            for _ in 0..<2 { _ = try await person.send(.get, "/api/v1/timelines/home", headers: bob) }
            let last = try await person.send(.post, "/api/v1/statuses", ["status": "y"], headers: bob)
            #expect(try last.status == 200 && Self.headers(last).prefix(2) == ["4", "0"])
        }
    }

    /// Whoever asks for what does not exist, or is not allowed, is stopped; but nobody loses the files of the neighbor.
    @Test(arguments: ["/nope", "/a/b/c", "/files/none.bin", "/media/none/none.png", "/@nobody"])
    func refusedRequestsAreLimitedPerNetwork(path: String) async throws {
        var limits = Limits()
        limits.refusals = RateLimit(3, perSeconds: 300)
        let test = try TestServices(limits: limits, enforcesRateLimits: true)
        let (_, token) = try await test.account("bob")
        try await Person.served(test) { test, person in
            let bob: HTTPFields = [.authorization: "Bearer " + token]
            let stored = try await person.send(.put, "/files/a.txt", ["a": "b"], headers: bob)
            #expect(stored.status == 201)
            // A token does not help.
            for headers in [[:], bob, [:]] as [HTTPFields] {
                let response = try await person.send(.get, path, headers: headers)
                #expect(try response.status == 404 && Self.headers(response) == [nil, nil, nil])
            }
            let refused = try await person.send(.get, path)
            #expect(try refused.status == 429 && Self.headers(refused).prefix(2) == ["3", "0"])
            #expect(try await person.send(.get, "/" + String(repeating: "a/", count: 100)).status == 429)
            for path in ["/files/a.txt", "/", "/health", "/api/v1/instance"] {
                let response = try await person.send(.get, path)
                #expect(response.status == 200, "\(path)")
            }
            test.store.clock.now += 300_000
            #expect(try await person.send(.get, path).status == 404)
        }
    }

    @Test func pagesAreLimitedPerNetwork() async throws {
        var limits = Limits()
        limits.pages = RateLimit(3, perSeconds: 300)
        let test = try TestServices(limits: limits, enforcesRateLimits: true)
        _ = try await test.account("bob")
        try await Person.served(test) { test, person in
            for path in ["/", "/@bob", "/"] {
                let response = try await person.send(.get, path)
                #expect(response.status == 200, "\(path)")
            }
            for (path, status) in [("/", 429), ("/api/v1/instance", 200)] {
                let response = try await person.send(.get, path)
                #expect(response.status == status, "\(path)")
            }
            test.store.clock.now += 300_000
            let later = try await person.send(.get, "/")
            #expect(later.status == 200)
        }
    }

    @Test func rateLimitRaisesTheOthersInProportion() {
        var limits = Limits()
        limits.setRequests(3000)
        #expect(limits.pages.count == 30_000 && limits.refusals.count == 3000 && limits.uploads.count == 10_000)
        limits.setRequests(10)
        #expect(limits.pages.count == 30_000)
    }

    /// A renamed endpoint would otherwise lose its limit.
    @Test func rulesNameExistingEndpoints() throws {
        let endpoints = try TestServices().services.endpoints()
        let existing = Set(endpoints.map { RateRule.Endpoint($0.method, $0.path.pattern) })
        #expect(Set(RateRule.endpoints.keys).subtracting(existing).isEmpty)
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
