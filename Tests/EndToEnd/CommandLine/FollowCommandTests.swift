import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient timeline --follow` and `notifications --follow` against the real server.
@Suite(.hangLimit)
struct FollowCommandTests {
    /// The texts of the statuses that were printed as JSON.
    private static func texts(_ client: RunningClient) throws -> [String] {
        try client.lines.map { line in
            let status = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(status?["content"] as? String, "\(line)")
        }
    }

    private static func post(_ home: ClientHome, _ texts: String...) async throws {
        for text in texts { #expect(try await home.run("post", text).code == 0) }
    }

    private static func html(_ texts: [String]) -> [String] { texts.map { "<p>\($0)</p>" } }

    @Test(arguments: ["home", "public"]) func timelineIsFollowedAcrossRestarts(name: String) async throws {
        var server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.login(server, "ada").code == 0)
        try await Self.post(home, "one", "two", "three")
        let client = try RunningClient(home, "timeline", name, "--follow", "--json", "--limit", "2")
        try await Wait.until("the page has been printed") { client.lines.count == 2 }
        try await Self.post(home, "four")
        try await Wait.until("the status has been printed") { client.lines.count == 3 }
        for (signal, text) in [(SIGKILL, "five"), (SIGTERM, "six")] {
            try await server.stop(signal)
            server = try await ServerProcess.start(folder: server.folder, port: server.port)
            let count = client.lines.count
            try await Self.post(home, text)
            try await Wait.until("\(text) has been printed") { client.lines.count > count }
        }
        let end = try await client.stop(SIGINT)
        #expect(end == 130 && !client.error.contains("error:"), "\(end) \(client.error)")
        #expect(try Self.texts(client) == Self.html(["two", "three", "four", "five", "six"]))
    }

    /// Everything that others post while the client starts and the server is killed is printed exactly once.
    @Test func nothingIsMissingUnderLoad() async throws {
        var server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.login(server, "ada").code == 0)
        try await Self.post(home, "0")
        let client = try RunningClient(home, "timeline", "public", "--follow", "--json", "--limit", "1")
        for number in 1...30 {
            try await Self.post(home, "\(number)")
            guard number.isMultiple(of: 10) else { continue }
            // A client that has never reached the server would give up.
            try await Wait.until("the client has reached the server") { !client.lines.isEmpty }
            try await server.stop(SIGKILL)
            server = try await ServerProcess.start(folder: server.folder, port: server.port)
        }
        try await Wait.until("the last status has been printed") { try Self.texts(client).last == "<p>30</p>" }
        #expect(try await client.stop(SIGTERM) == 130)
        // The client may have read its first page after some of them.
        let texts = try Self.texts(client)
        let first = try #require(texts.first.flatMap { Int($0.dropFirst(3).dropLast(4)) })
        #expect(texts == Self.html((first...30).map(String.init)))
    }

    @Test func notificationsAreFollowed() async throws {
        let server = try await ServerProcess.start()
        var homes: [ClientHome] = []
        for name in ["ada", "bob"] {
            try await server.addAccount(name)
            let home = try ClientHome()
            #expect(try await home.login(server, name).code == 0)
            homes.append(home)
        }
        #expect(try await homes[1].run("follow", "@ada").code == 0)
        let client = try RunningClient(homes[0], "notifications", "--follow")
        try await Wait.until("the first one has been printed") { client.output.contains("@bob followed you") }
        try await Self.post(homes[1], "@ada hello there")
        try await Wait.until("the mention has been printed") { client.output.contains("@ada hello there") }
        #expect(try await client.stop(SIGINT) == 130)
        #expect(client.output.components(separatedBy: "mentioned you").count == 2 && client.error.isEmpty)
    }

    /// The command ends although nobody posts anything.
    @Test func endOfThePipeEndsTheCommand() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.login(server, "ada").code == 0)
        try await Self.post(home, "one", "two")
        let script = #""$0" timeline public --follow --json --server "$1" | head -1; exit ${PIPESTATUS[0]}"#
        let done = try await Tool.run(
            "bash", ["-c", script, Programs.feedclient, server.address], environment: home.environment)
        #expect(done.code == 141 && done.error.isEmpty, "\(done.code) \(done.error)")
        #expect(done.text.split(separator: "\n").count == 1 && done.text.contains("<p>one</p>"))
    }

    @Test func impossibleRequestsAreRefused() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.run("timeline", "public", "--follow", "--offline").code == 2)
        #expect(try await home.run("timeline", "home", "--follow", "--server", server.address).code == 4)
        #expect(try await home.run("notifications", "--follow", "--server", server.address).code == 4)
        let unknown = try await home.run("timeline", "@nobody", "--follow", "--server", server.address)
        #expect(unknown.code == 3, "\(unknown.error)")
        try await server.stop()
        let gone = try await home.run("timeline", "public", "--follow", "--server", server.address)
        #expect(gone.code == 5 && gone.error.contains("Cannot connect to "), "\(gone.error)")
    }
}
