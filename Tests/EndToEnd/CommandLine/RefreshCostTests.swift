import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// What refreshing costs, in requests and in bytes from the server, with headers.
@Suite(.hangLimit)
struct RefreshCostTests {
    private static let allowance = 100 << 20
    /// A terminal that needs no pager.
    private static let high = ["LINES": "500"]

    /// The bytes that a server sends through a proxy while `body` runs.
    private static func bytes(through proxy: PausingProxy, _ body: () async throws -> Void) async throws -> Int {
        proxy.hold(after: allowance)
        try await body()
        return allowance - proxy.remaining
    }

    /// The requests in the output of `-v`.
    private static func requests(_ done: Finished) -> [String] {
        done.error.split(separator: "\n").filter { $0.hasPrefix("> ") }.map(String.init)
    }

    @Test func refreshingAFeedServerCostsWhatHasChanged() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        try await PausingProxy.serving(people.server.port, pausingAfter: Self.allowance) { proxy in
            let home = try ClientHome()
            #expect(
                try await home.run(
                    "login", proxy.address, "--username", "ada", "--password-stdin", input: "secretsecret\n"
                ).code == 0)
            #expect(try await home.run("follow", "@bob").code == 0)
            for number in 0..<30 { _ = try await bob.run("post", "number \(number)") }
            #expect(try await home.run("sync").text == "30 new statuses\n")
            let idle = try await Self.bytes(through: proxy) {
                let done = try await home.run("sync", "-v")
                #expect(done.text == "nothing new\n" && Self.requests(done).count == 1, "\(done.text)\(done.error)")
            }
            #expect(idle < 1024, "\(idle) bytes")
            for text in ["one", "two", "three"] { _ = try await bob.run("post", text) }
            let three = try await Self.bytes(through: proxy) {
                let done = try await home.run("sync")
                #expect(done.text == "3 new statuses\n")
            }
            #expect(three < 10_240, "\(three) bytes")
            let offline = try await home.run("timeline", "--offline", "--json", "-n", "40")
            #expect(try offline.ids().count == 33)
            #expect(try await ada.run("timeline", "--json").code == 0)
        }
    }

    /// The same on a terminal, where reading also moves the read position.
    @Test func timelineOnATerminalCostsWhatHasChanged() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        try await PausingProxy.serving(people.server.port, pausingAfter: Self.allowance) { proxy in
            let home = try ClientHome()
            #expect(
                try await home.run(
                    "login", proxy.address, "--username", "ada", "--password-stdin", input: "secretsecret\n"
                ).code == 0)
            let first = try await ada.run("post", "the first").id()
            #expect(try await OutputTerminal.run(home, ["timeline"], Self.high).code == 0)
            let idle = try await Self.bytes(through: proxy) {
                let done = try await OutputTerminal.run(home, ["timeline"], Self.high)
                #expect(done.text.contains("the first"))
            }
            #expect(idle < 1024, "\(idle) bytes")
            for text in ["one", "two", "three"] { _ = try await ada.run("post", text) }
            let three = try await Self.bytes(through: proxy) {
                let done = try await OutputTerminal.run(home, ["timeline"], Self.high)
                #expect(done.text.contains("three") && done.text.contains("one"))
            }
            #expect(three < 10_240, "\(three) bytes")
            // Edits and deletions come with the feed.
            #expect(try await ada.run("edit", first, "the last").code == 0)
            #expect(try await OutputTerminal.run(home, ["timeline"], Self.high).code == 0)
            #expect(try await home.run("timeline", "--offline").text.contains("the last"))
        }
    }

    @Test func withoutANetworkCronGetsNoError() async throws {
        let people = try await ClientPeople.start("ada")
        try await people.server.stop()
        let done = try await people.homes[0].run("sync")
        #expect(done.code == 0 && done.error.isEmpty && done.text.hasPrefix("offline: Cannot connect"), "\(done.error)")
        #expect(try await ClientHome().run("sync").code == 4)
    }

    // MARK: Other servers

    /// A server without a change feed.
    private final class Fixture: Sendable {
        let hasTag: Bool
        let state = Mutex((count: 25, text: "as it was"))

        init(hasTag: Bool) { self.hasTag = hasTag }

        @Sendable func respond(_ request: FaultRequest) -> FaultResponse {
            let path = String(request.path.prefix { $0 != "?" })
            switch path {
            case "/api/v1/accounts/verify_credentials": return .text(Self.account)
            // The account has read everything on another device.
            case "/api/v1/markers": return .text(#"{"home":{"last_read_id":"9999"}}"#)
            case "/api/v1/timelines/home": return page(request)
            default: return .text(#"{"error":"Record not found"}"#, status: 404)
            }
        }

        private static let account = #"{"id":"1","username":"ada","acct":"ada","display_name":"Ada"}"#

        private func page(_ request: FaultRequest) -> FaultResponse {
            let (count, text) = state.withLock { $0 }
            let tag = #"W/"\#(count) \#(text)""#
            let headers = hasTag ? [("ETag", tag)] : []
            if hasTag, request.headers["if-none-match"] == tag { return .text("", status: 304, headers) }
            let items = URLComponents(string: request.path)?.queryItems ?? []
            let since = items.first { $0.name == "since_id" }?.value.flatMap { Int($0) } ?? 0
            let ids = (1001...1000 + count).reversed().filter { $0 > since }.prefix(20)
            return .text("[" + ids.map { Self.status($0, text) }.joined(separator: ",") + "]", headers)
        }

        /// As long as those of Mastodon.
        private static func status(_ id: Int, _ text: String) -> String {
            #"{"id":"\#(id)","created_at":"2026-01-01T00:00:00.000Z","account":\#(account),"#
                + #""content":"<p>\#(text) \#(id)</p>","visibility":"public","spoiler_text":"","mentions":[],"tags":[],"#
                + #""unused":"\#(String(repeating: "x", count: 1800))"}"#
        }
    }

    @Test(arguments: [false, true]) func otherServersAreAskedOnce(hasTag: Bool) async throws {
        let fixture = Fixture(hasTag: hasTag)
        let server = try CannedServer(fixture.respond)
        defer { server.close() }
        try await PausingProxy.serving(server.port, pausingAfter: Self.allowance) { proxy in
            let home = try ClientHome()
            #expect(try await home.run("login", proxy.address, "--token-stdin", input: "token\n").code == 0)
            #expect(try await OutputTerminal.run(home, ["timeline"], Self.high).code == 0)
            let before = server.paths.count
            let idle = try await Self.bytes(through: proxy) {
                let done = try await OutputTerminal.run(home, ["timeline"], Self.high)
                #expect(done.text.contains("as it was 1025"))
            }
            #expect(server.paths.count == before + 1, "\(server.paths)")
            #expect(idle < 1024, "\(idle) bytes")
            fixture.state.withLock { $0 = hasTag ? (25, "edited") : (28, "as it was") }
            let news = try await Self.bytes(through: proxy) {
                let done = try await OutputTerminal.run(home, ["timeline"], Self.high)
                #expect(done.code == 0)
            }
            let offline = try await home.run("timeline", "--offline").text
            #expect(offline.contains(hasTag ? "edited 1025" : "as it was 1028"))
            #expect(hasTag || news < 10_240, "\(news) bytes")
        }
    }
}
