import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// A stored response has the bytes of the ordinary one, and is sent only when the ordinary one would be.
@Suite(.hangLimit)
struct StoredResponseTests {
    typealias Token = StoredResponseWorld.Token

    /// The pages, and the kinds of tokens with which each can be read.
    private struct Page {
        let target: String
        let readers: Set<Token>
        var hasTag = true

        static let timeline: Set<Token> = [.none, .basic, .account, .application]
        /// A token that the server does not know is not refused, but it must be looked up every time.
        static let open: Set<Token> = [.none, .basic, .account, .application, .limited, .suspended]
    }

    private static let pages = [
        Page(target: "/api/v1/timelines/public", readers: Page.timeline),
        Page(target: "/api/v1/timelines/public?limit=2", readers: Page.timeline),
        Page(target: "/api/v1/timelines/public?limit=2&max_id={status}", readers: Page.timeline),
        Page(target: "/api/v1/timelines/public?remote=true", readers: Page.timeline),
        Page(target: "/api/v1/timelines/tag/tag", readers: Page.timeline),
        Page(target: "/api/v1/accounts/{account}/statuses?exclude_replies=true", readers: Page.timeline),
        Page(target: "/api/v1/timelines/home", readers: [.account]),
        Page(target: "/api/v1/favourites", readers: [.account]),
        Page(target: "/api/v1/instance", readers: Page.open, hasTag: false),
        Page(target: "/api/v2/instance?x", readers: Page.open, hasTag: false),
        Page(target: "/nodeinfo/2.0", readers: Page.open, hasTag: false),
        Page(target: "/", readers: Page.open), Page(target: "/?limit=3", readers: Page.open),
        Page(target: "/tags/tag", readers: Page.open), Page(target: "/@ada", readers: Page.open),
        Page(target: "/@ada/{status}", readers: Page.open), Page(target: "/assets/style.css", readers: Page.open),
        Page(target: "/assets/icon.svg?v=1", readers: Page.open), Page(target: "/avatars/ada", readers: Page.open),
        Page(target: "/avatars/bob", readers: Page.open),
        Page(target: "/headers/ada", readers: Page.open), Page(target: "/badges/admin.png", readers: Page.open),
        Page(target: "/health", readers: Page.open, hasTag: false),
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

    /// What a field does rarely depends on the token, so tokens other than these are tried with few fields.
    private static func fields(for token: Token) -> [[String]] {
        Soak.isEnabled || token == .none || token == .account
            ? fields : fields.filter { ["", "If-None-Match: {tag}", "Accept-Encoding: gzip"].contains($0.joined()) }
    }

    /// A field with which a request takes the ordinary path, and which changes nothing else.
    private static let ordinary = ["Content-Length: 0"]

    @Test(arguments: Token.allCases)
    func bytesAreThoseOfTheOrdinaryPath(token: Token) async throws {
        let world = try await StoredResponseWorld.make()
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            for page in Self.pages {
                let target = world.target(page.target)
                let base = world.authorization(token)
                let first = try await connection.ask("GET", target, base + Self.ordinary)
                let tag = first.headers["etag"] ?? "\"none\""
                // Pages are compressed when they are requested for the second time.
                for _ in 0..<2 {
                    _ = try await connection.ask("GET", target, base + Self.ordinary + ["Accept-Encoding: gzip"])
                }
                #expect((first.headers["etag"] != nil) == (page.hasTag && first.status == 200), "\(target)")
                for fields in Self.fields(for: token) {
                    for method in ["GET", "HEAD"] {
                        let fields =
                            base
                            + fields.map {
                                $0.replacing("{tag}", with: tag).replacing("{gzip}", with: tag.dropLast() + "-gzip\"")
                            }
                        let isStored = page.readers.contains(token) && Self.isKnownWithoutQuery(token, world)
                        try await Self.compare(
                            server, connection, method, target, fields, isStored: isStored)
                    }
                }
            }
        }
    }

    /// Other servers may have revoked a token, so this one asks the database.
    private static func isKnownWithoutQuery(_ token: Token, _ world: StoredResponseWorld) -> Bool {
        token == .none || token == .basic || !world.test.services.stores.changes.isShared
    }

    /// Sends a request on the ordinary path, one whose response may be stored, and one that it must answer.
    private static func compare(
        _ server: LiveServer, _ connection: KeptConnection, _ method: String, _ target: String, _ fields: [String],
        isStored: Bool
    ) async throws {
        let name = "\(method) \(target) \(fields)"
        let expected = try await connection.ask(method, target, fields + ordinary)
        let second = try await connection.ask(method, target, fields)
        let before = server.stored.answered
        let third = try await connection.ask(method, target, fields)
        #expect(server.stored.answered - before == (isStored ? 1 : 0), "\(name): \(third.status)")
        // The bytes of this one are known.
        let fourth = try await connection.ask(method, target, fields)
        #expect(server.stored.answered - before == (isStored ? 2 : 0), "\(name): \(fourth.status)")
        for response in [second, third, fourth] { #expect(Fixed(response) == Fixed(expected), "\(name)") }
    }

    /// The bytes of a known request are a request only where one begins.
    @Test func bodiesAreNotRequests() async throws {
        let world = try await StoredResponseWorld.make()
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            let known = KeptConnection.request("GET", "/health")
            let text = try await connection.send([known, known, known], expecting: 200).text
            #expect(server.stored.request(ByteBuffer(bytes: known)) != nil)
            let form = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(known.count)"]
            let post = KeptConnection.request("POST", "/api/v1/apps", headers: form)
            for _ in 0..<3 {
                let before = server.stored.answered
                #expect(try await connection.ask(pieces: [post, known]).status == 422)
                #expect(try await connection.ask(pieces: [post + known]).status == 422)
                let half = known.count / 2
                #expect(try await connection.ask(pieces: [known.prefix(half), known.dropFirst(half)]).status == 200)
                for count in 1...3 {
                    let requests = (0..<count).reduce(Data()) { bytes, _ in bytes + known }
                    let responses = try await connection.pipeline(requests, count: count)
                    for response in responses { #expect(response.status == 200 && response.text == text) }
                }
                #expect(server.stored.answered - before == 7)
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
    func rateLimitsCountStoredResponses(token: Token) async throws {
        var limits = Limits()
        limits.requests = RateLimit(5, perSeconds: 300)
        let world = try await StoredResponseWorld.make(limits: limits)
        try await LiveServer.run(ConnectionLimits(), world.test, world.test.services) { server in
            let connection = try KeptConnection(port: server.port)
            for _ in 0..<2 {
                world.test.store.clock.now += 300_000
                var remaining: [String?] = []
                for number in 0..<5 {
                    let fields = world.authorization(token) + (number == 0 ? Self.ordinary : [])
                    let response = try await connection.ask("GET", "/api/v1/timelines/public", fields)
                    #expect(response.status == 200 && response.headers["x-ratelimit-limit"] == "5")
                    remaining.append(response.headers["x-ratelimit-remaining"])
                }
                #expect(remaining == ["4", "3", "2", "1", "0"])
                let before = server.stored.answered
                for fields in [[], Self.ordinary, []] {
                    let fields = world.authorization(token) + fields
                    let response = try await connection.ask("GET", "/api/v1/timelines/public", fields)
                    #expect(response.status == 429 && response.headers["retry-after"] != nil)
                    #expect(response.headers["x-ratelimit-remaining"] == "0")
                }
                #expect(server.stored.answered == before)
            }
            #expect(server.stored.answered == (Self.isKnownWithoutQuery(token, world) ? 7 : 0))
        }
    }

    /// Everything that must end the use of a stored response, at once.
    @Test func changesTakeEffectAtOnce() async throws {
        let world = try await StoredResponseWorld.make()
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
            #expect(server.stored.answered >= 5)
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
        let world = try await StoredResponseWorld.make()
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
