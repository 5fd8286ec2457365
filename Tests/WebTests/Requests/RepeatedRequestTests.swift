import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Whether a response comes from memory or from a task, its bytes are the same, and it is current.
@Suite(.hangLimit)
struct RepeatedRequestTests {
    typealias Token = TokenWorld.Token

    private static let pages: [(target: String, hasTag: Bool)] = [
        ("/api/v1/timelines/public", true), ("/api/v1/timelines/public?limit=2", true),
        ("/api/v1/timelines/public?limit=2&max_id={status}", true), ("/api/v1/timelines/public?remote=true", true),
        ("/api/v1/timelines/tag/tag", true), ("/api/v1/accounts/{account}/statuses?exclude_replies=true", true),
        ("/api/v1/timelines/home", true), ("/api/v1/favourites", true), ("/api/v1/instance", true),
        ("/api/v2/instance?x", true), ("/nodeinfo/2.0", true), ("/", true), ("/?limit=3", true), ("/tags/tag", true),
        ("/@ada", true), ("/@ada/{status}", true), ("/assets/style.css", true), ("/assets/icon.svg?v=1", true),
        ("/avatars/ada", true), ("/avatars/bob", true), ("/headers/ada", true), ("/badges/admin.png", true),
        ("/health", false),
    ]

    /// Fields that change nothing, or only what the entity tag decides.
    private static let fields: [[String]] = [
        [], ["Origin: https://app.example"], ["Accept: text/html", "User-Agent: browser"], ["If-None-Match: {tag}"],
        ["If-None-Match: W/{tag}, \"x\""], ["If-None-Match: *"], ["If-None-Match: \"x\""], ["Connection: keep-alive"],
        ["Accept-Encoding: gzip"], ["Accept-Encoding: br, *;q=0.5"], ["Accept-Encoding: identity"],
        ["Accept-Encoding: gzip", "If-None-Match: {tag}"], ["Accept-Encoding: gzip", "If-None-Match: {gzip}"],
        ["Accept-Encoding: gzip", "If-None-Match: {tag}, {gzip}"], ["If-None-Match: {gzip}"],
        ["If-Modified-Since: Fri, 01 Dec 2023 06:39:55 GMT"], ["Cookie: a=b", "X-Request-Id: mine"],
    ]

    private static let emptyBody = ["Content-Length: 0"]

    /// The effect of a field rarely depends on the token, so other tokens are tried with few fields.
    private static func fields(for token: Token) -> [[String]] {
        Soak.isEnabled || token == .none || token == .account
            ? fields : fields.filter { ["", "If-None-Match: {tag}", "Accept-Encoding: gzip"].contains($0.joined()) }
    }

    @Test(arguments: Token.allCases)
    func repetitionsHaveTheSameBytes(token: Token) async throws {
        let world = try await TokenWorld.make()
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            for (pattern, hasTag) in Self.pages {
                let target = world.target(pattern)
                let base = world.authorization(token)
                let first = try await connection.ask("GET", target, base)
                let tag = first.headers["etag"] ?? "\"none\""
                // Pages are compressed when they are requested for the second time.
                for _ in 0..<2 { _ = try await connection.ask("GET", target, base + ["Accept-Encoding: gzip"]) }
                #expect((first.headers["etag"] != nil) == (hasTag && first.status == 200), "\(target)")
                for fields in Self.fields(for: token) {
                    let fields = fields.map {
                        $0.replacing("{tag}", with: tag).replacing("{gzip}", with: tag.dropLast() + "-gzip\"")
                    }
                    try await Self.compare(connection, target, base + fields)
                }
            }
        }
    }

    /// Sends the same request several times, also with a body of no bytes, and as HEAD.
    private static func compare(_ connection: KeptConnection, _ target: String, _ fields: [String]) async throws {
        let name = "\(target) \(fields)"
        let expected = try await connection.ask("GET", target, fields + emptyBody)
        for _ in 0..<2 { #expect(Fixed(try await connection.ask("GET", target, fields)) == Fixed(expected), "\(name)") }
        let head = try await connection.ask("HEAD", target, fields)
        #expect(Fixed(head).head == Fixed(expected).head && head.body.isEmpty, "HEAD \(name)")
    }

    /// Bytes that look like a request are one only where a request begins.
    @Test func bodiesAreNotRequests() async throws {
        let world = try await TokenWorld.make()
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            let known = KeptConnection.request("GET", "/health")
            let text = try await connection.send([known, known, known], expecting: 200).text
            let form = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(known.count)"]
            let post = KeptConnection.request("POST", "/api/v1/apps", headers: form)
            for _ in 0..<3 {
                #expect(try await connection.ask(pieces: [post, known]).status == 422)
                #expect(try await connection.ask(pieces: [post + known]).status == 422)
                let half = known.count / 2
                #expect(try await connection.ask(pieces: [known.prefix(half), known.dropFirst(half)]).status == 200)
                for count in 1...3 {
                    let requests = (0..<count).reduce(Data()) { bytes, _ in bytes + known }
                    let responses = try await connection.pipeline(requests, count: count)
                    for response in responses { #expect(response.status == 200 && response.text == text) }
                }
            }
            // The malformed request is refused again, although the same bytes have arrived before.
            let malformed = known + Data("GET / HTTP/1.1\r\nBad Name: x\r\n\r\n".utf8)
            for _ in 0..<3 {
                let responses = try await KeptConnection(port: server.port).pipeline(malformed, count: 2)
                #expect(responses.map(\.status) == [200, 400])
            }
        }
    }

    @Test(arguments: [Token.none, .account])
    func rateLimitsCountEveryResponse(token: Token) async throws {
        var limits = Limits()
        limits.requests = RateLimit(5, perSeconds: 300)
        let world = try await TokenWorld.make(limits: limits)
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            for _ in 0..<2 {
                world.test.store.clock.now += 300_000
                var remaining: [String?] = []
                for number in 0..<5 {
                    let fields = world.authorization(token) + (number == 0 ? Self.emptyBody : [])
                    let response = try await connection.ask("GET", "/api/v1/timelines/public", fields)
                    #expect(response.status == 200 && response.headers["x-ratelimit-limit"] == "5")
                    remaining.append(response.headers["x-ratelimit-remaining"])
                }
                #expect(remaining == ["4", "3", "2", "1", "0"])
                for fields in [[], Self.emptyBody, []] {
                    let fields = world.authorization(token) + fields
                    let response = try await connection.ask("GET", "/api/v1/timelines/public", fields)
                    #expect(response.status == 429 && response.headers["retry-after"] != nil)
                    #expect(response.headers["x-ratelimit-remaining"] == "0")
                }
            }
        }
    }

    /// Everything that must end the use of a page in memory, at once.
    @Test func changesTakeEffectAtOnce() async throws {
        let world = try await TokenWorld.make()
        let store = world.test.store
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            func get(_ target: String, _ token: Token = .none) async throws -> RawHTTP.Response {
                try await connection.ask("GET", target, world.authorization(token))
            }
            for target in ["/api/v1/timelines/public", "/", "/@ada", "/api/v1/instance", "/avatars/ada"] {
                for _ in 0..<2 { #expect(try await get(target).status == 200) }
            }
            for _ in 0..<2 { #expect(try await get("/api/v1/timelines/home", .account).status == 200) }
            try await store.post("a new status", by: world.account)
            for target in ["/api/v1/timelines/public", "/", "/@ada"] {
                #expect(try await get(target).text.contains("a new status"), "\(target)")
            }
            #expect(try await get("/api/v1/timelines/home", .account).text.contains("a new status"))
            #expect(try await get("/api/v1/instance").text.contains("\"status_count\":9"))
            var settings = ReloadableSettings.Values()
            settings.site.title = "Another title"
            _ = try await get("/api/v1/instance")
            world.test.settings.replace(with: settings)
            #expect(try await get("/api/v1/instance").text.contains("Another title"))
            #expect(try await get("/").text.contains("Another title"))
            try await world.test.services.login.tokens.revoke(world.secret(.account))
            #expect(try await get("/api/v1/timelines/home", .account).status == 401)
            try await store.moderation.perform(.suspend, on: world.account.id)
            #expect(try await get("/@ada").status == 404)
            #expect(try await get("/avatars/ada").status == 404)
            #expect(try await get("/api/v1/timelines/public").text == "[]")
        }
    }

    /// A lapse of time changes the statistics without a change in the log.
    @Test func statisticsChangeWithTheDay() async throws {
        let world = try await TokenWorld.make()
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            for _ in 0..<2 {
                let response = try await connection.ask("GET", "/api/v2/instance")
                #expect(response.text.contains("\"active_month\":1"))
            }
            world.test.store.clock.now += 40 * 86_400_000
            #expect(try await connection.ask("GET", "/api/v2/instance").text.contains("\"active_month\":0"))
        }
    }
}

/// A response without the values that differ in every response.
private struct Fixed: Equatable {
    private static let varying = ["date:", "x-request-id:"]

    let head: String
    let body: Data

    init(_ response: RawHTTP.Response) {
        body = response.body
        let lines = String(decoding: response.raw.dropLast(body.count), as: UTF8.self).components(separatedBy: "\r\n")
        head = lines.map { line in
            Self.varying.first { line.lowercased().hasPrefix($0) }.map { String(line.prefix($0.count)) } ?? line
        }.joined(separator: "\r\n")
    }
}
