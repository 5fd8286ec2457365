import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Streams with foreign clients, across a restart, over HTTP/2 and through a proxy.
@Suite(.hangLimit)
struct StreamClientTests {
    private static func driver(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Mastodon/Drivers/\(name).py")
    }

    /// A server on which ada follows bob, and their tokens.
    private static func start(
        _ options: [String] = []
    ) async throws -> (server: ServerProcess, ada: String, bob: String) {
        let server = try await ServerProcess.start(options)
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let (ada, bob) = (try await server.token("ada"), try await server.token("bob"))
        let account = try await curl(
            "-H", "Authorization: Bearer " + bob, server.address + "/api/v1/accounts/verify_credentials")
        let object = try JSONSerialization.jsonObject(with: Data(account.utf8)) as? [String: Any]
        let id = try #require(object?["id"] as? String)
        _ = try await curl(
            "-X", "POST", "-H", "Authorization: Bearer " + ada, server.address + "/api/v1/accounts/\(id)/follow")
        return (server, ada, bob)
    }

    private static func curl(_ arguments: String...) async throws -> String {
        try await Tool.run("/usr/bin/curl", ["-s", "--max-time", "300"] + arguments).text
    }

    /// Posts a status, and returns its id.
    private static func post(_ text: String, at address: String, as token: String) async throws -> String {
        let response = try await curl(
            "-H", "Authorization: Bearer " + token, "-d", "status=" + text, address + "/api/v1/statuses")
        let object = try JSONSerialization.jsonObject(with: Data(response.utf8)) as? [String: Any]
        return try #require(object?["id"] as? String, "\(response)")
    }

    @Test(.enabled(if: MastodonClient.websockets.isInstalled, "it is not installed: scripts/foreign-clients"))
    func websocketsReceivesStreams() async throws {
        let (server, ada, bob) = try await Self.start()
        let done = try await MastodonClient.websockets.drive(
            Self.driver("websockets_streams"), arguments: [server.address, ada, bob])
        #expect(done.code == 0 && ("\n" + done.text).contains("\nok "), "\((done.text + done.error).suffix(2000))")
        try await server.stop()
    }

    /// It reads line by line, ignores `id:`, and takes the line after `event:` for the data.
    @Test(
        .enabled(if: MastodonClient.bitlbee.isInstalled, "it is not installed: scripts/foreign-clients"),
        .enabled(if: TestCertificates.isInstalled, "apt install openssl"))
    func bitlbeeReceivesStreams() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let address = "https://localhost:\(server.port)"
        let tokens = [try await server.token("ada"), try await server.token("bob")]
        let done = try await MastodonClient.bitlbee.drive(
            Self.driver("bitlbee_follow"), arguments: [address, certificates.authority] + tokens)
        #expect(done.code == 0 && ("\n" + done.text).contains("\nok "), "\((done.text + done.error).suffix(2000))")
        try await server.stop()
    }

    /// A server that is stopped tells its clients; one that is killed does not. Neither loses or repeats an event.
    @Test(
        .enabled(if: MastodonClient.websockets.isInstalled, "it is not installed: scripts/foreign-clients"),
        arguments: [SIGTERM, SIGKILL])
    func websocketsContinuesAfterARestart(signal: Int32) async throws {
        let (first, ada, bob) = try await Self.start()
        let output = try first.folder.file("ids", "")
        async let follower = MastodonClient.websockets.drive(
            Self.driver("websockets_follow"), arguments: [first.address, ada, "8"], output: output)
        func lines() -> [String] {
            String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
        try await Wait.until("the stream is open") { lines().contains("open") }
        var ids: [String] = []
        for number in 0..<4 { ids.append(try await Self.post("before \(number)", at: first.address, as: bob)) }
        try await Wait.until("the first events") { lines().filter { $0 != "open" } == ids }
        try await first.stop(signal)
        let second = try await ServerProcess.start(folder: first.folder, port: first.port)
        for number in 0..<4 { ids.append(try await Self.post("after \(number)", at: second.address, as: bob)) }
        let done = try await follower
        #expect(done.code == 0, "\(done.error)")
        #expect(lines().filter { $0 != "open" } == ids)
        #expect(lines().filter { $0 == "open" }.count >= 2)
        try await second.stop()
    }

    /// Server-sent events continue in the same way, and the end of the first server has its reason.
    @Test func eventsContinueAfterARestart() async throws {
        let (first, ada, bob) = try await Self.start()
        let before = try EventStreamClient(port: first.port, "/user", token: ada)
        #expect(try await before.opened().status == 200)
        let one = try await Self.post("one", at: first.address, as: bob)
        let event = try #require(try await before.events(1).first)
        #expect(event["id"] == one)
        #expect(try await first.stop() == 0)
        try await before.closed()
        #expect(before.events.last?.name == "shutdown" && before.events.last?.retry != nil)
        let second = try await ServerProcess.start(folder: first.folder)
        let two = try await Self.post("two", at: second.address, as: bob)
        let after = try EventStreamClient(port: second.port, "/user", token: ada, since: event.id)
        let three = try await Self.post("three", at: second.address, as: bob)
        #expect(try await after.events(2).map { $0["id"] } == [two, three])
        #expect(try await second.stop() == 0)
    }

    /// The command is another process, whose deletions the server reads from the log a little later. One that takes more
    /// than a second notifies nobody, so the test repeats itself.
    @Test func followersAreNotifiedOfTheRemovalOfAnAccount() async throws {
        for _ in 0..<10 {
            let (server, ada, bob) = try await Self.start()
            let hidden = try await Self.post("for followers&visibility=private", at: server.address, as: bob)
            let stream = try EventStreamClient(port: server.port, "/user", token: ada)
            #expect(try await stream.opened().status == 200)
            let removed = try await server.admin("account", "remove", "bob", "--yes")
            #expect(removed.code == 0, "\(removed.error)")
            let own = try await Self.post("last", at: server.address, as: ada)
            try await Wait.until("the last status") { stream.events.contains { $0["id"] == own } }
            let events = stream.events
            try await server.stop()
            guard events.count > 1 else { continue }
            #expect(events.map { $0["id"] ?? $0.data } == [hidden, own] && events[0].name == "delete")
            return
        }
        Issue.record("the follower was never notified")
    }

    /// A stream of HTTP/2 is one of several on its connection.
    @Test func eventsArriveOverHTTP2() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        try await server.addAccount("bob")
        let token = try await server.token("bob")
        let output = try server.folder.file("events", "")
        let address = "https://localhost:\(server.port)"
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = [
            "-sN", "--http2", "--cacert", certificates.authority, "-D", output + "-head", "-o", output,
            address + "/api/v1/streaming/public",
        ]
        try process.run()
        defer { process.terminate() }
        func text(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        try await Wait.until("the stream is open") { text(output).hasPrefix(":thump\rid: ") }
        #expect(text(output + "-head").hasPrefix("HTTP/2 200"))
        let posted = try await Tool.run(
            "/usr/bin/curl",
            [
                "-s", "--cacert", certificates.authority, "-H", "Authorization: Bearer " + token, "-d", "status=hello",
                address + "/api/v1/statuses",
            ])
        #expect(posted.code == 0)
        try await Wait.until("an event") { text(output).contains("event: update\n") }
        #expect(try await server.stop() == 0)
        try await Wait.until("the last event") { text(output).contains("event: shutdown\n") }
    }

    /// With the configuration of the operating guide.
    @Test(.enabled(if: ForeignServer.isInstalled("nginx"), "apt install nginx"))
    func streamsPassNginx() async throws {
        let (server, ada, bob) = try await Self.start(["--trusted-proxy", "127.0.0.1"])
        try await ReverseProxyTests.nginx(server).serving { place in
            let events = try EventStreamClient(port: place.port, "/user", token: ada)
            #expect(try await events.opened().status == 200)
            let socket = try WebSocketConnection(port: place.port, "?stream=user&access_token=" + ada)
            #expect(try await socket.opened().status == 101)
            let id = try await Self.post("hello", at: place.address, as: bob)
            #expect(try await events.events(1)[0]["id"] == id)
            #expect((try await socket.messages(1)[0]["payload"] as? String)?.contains("\"id\":\"\(id)\"") == true)
        }
        try await server.stop()
    }
}
