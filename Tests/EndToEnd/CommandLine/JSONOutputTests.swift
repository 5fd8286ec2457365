import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Output for programs, for files, and for terminals without UTF-8.
@Suite(.hangLimit)
struct JSONOutputTests {
    private static func world() async throws -> (ServerProcess, ClientHome) {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.login(server, "ada").code == 0)
        let bio = String(repeating: "wörter ", count: 40)
        #expect(try await home.run("profile", "--set", "display_name=Zoë", "--set", "note=" + bio).code == 0)
        return (server, home)
    }

    private static func objects(_ done: Finished) throws -> [[String: Any]] {
        #expect(done.error.isEmpty, "\(done.error)")
        return try done.objects()
    }

    @Test func accountsAreEntities() async throws {
        let (server, home) = try await Self.world()
        let user = try Self.objects(try await home.run("user", "@ada", "--json"))
        #expect(user.count == 1 && user[0]["acct"] as? String == "ada" && user[0]["display_name"] as? String == "Zoë")
        // Members that the client does not know are kept.
        #expect(user[0]["fields"] is [Any])
        let own = try Self.objects(try await home.run("whoami", "--json"))
        #expect(own.count == 1 && own[0]["username"] as? String == "ada" && own[0]["source"] is [String: Any])
        let logins = try Self.objects(try await home.run("accounts", "--json"))
        #expect(logins.count == 1 && logins[0]["server"] as? String == server.address)
        #expect(logins[0]["current"] as? Bool == true && logins[0]["classic"] as? Bool == false)
        #expect(Set(logins[0].keys) == ["server", "username", "current", "classic"])
    }

    @Test func everyCommandWithDataPrintsObjects() async throws {
        let (server, home) = try await Self.world()
        let file = try home.folder.file("a.txt", "content")
        let stored = try Self.objects(try await home.run("upload", file, "--json"))
        #expect(stored.map { $0["name"] as? String } == ["a.txt"] && stored[0]["size"] as? Int == 7)
        let copy = home.folder.path + "/copy"
        let loaded = try await home.run("download", "a.txt", "-o", copy, "--json")
        let object = try JSONSerialization.jsonObject(with: loaded.output) as? [String: Any]
        #expect(object?["path"] as? String == copy && object?["size"] as? Int == 7)
        let posted = try Self.objects(try await home.run("post", "hallo", "--language", "de", "--json"))
        #expect(posted.map { $0["language"] as? String } == ["de"])
        let list = try Self.objects(try await home.run("lists", "create", "Sailors", "--json"))
        #expect(list.map { $0["title"] as? String } == ["Sailors"])
        #expect(try Self.objects(try await home.run("lists", "--json")).count == 1)
        #expect(try Self.objects(try await home.run("lists", "show", "Sailors", "--json")).isEmpty)
        #expect(try await home.run("tags", "follow", "sailing").code == 0)
        let tags = try Self.objects(try await home.run("tags", "--json"))
        #expect(tags.map { $0["name"] as? String } == ["sailing"])
        let ping = try Self.objects(try await home.run("ping", "--json"))
        #expect(ping[0]["server"] as? String == server.address && ping[0]["instance"] is [String: Any])
        #expect(try Self.objects(try await home.run("cache", "stats", "--json"))[0]["pictures"] as? Int == 0)
    }

    @Test func filesGetWholeLinesAndASCII() async throws {
        let (server, home) = try await Self.world()
        let user = try await home.run("user", "@ada")
        #expect(user.text.split(separator: "\n").contains { $0.count > 200 }, "\(user.text)")
        for arguments in [["user", "@ada"], ["whoami"], ["profile"], ["notifications"], ["search", "ada"]] {
            let done = try await Tool.run(
                Programs.feedclient, arguments, environment: home.environment.merging(["LC_ALL": "C"]) { $1 })
            #expect(done.code == 0 && done.output.allSatisfy { $0 < 0x80 }, "\(arguments): \(done.text)")
        }
        try await server.stop()
    }

    private struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var shouldDisplay: Bool?
        var subcommands: [Command]?
    }

    private struct Dump: Decodable { var command: Command }

    @Test func theHelpOfEveryCommandHasAnExample() async throws {
        let dump = try await Tool.run(Programs.feedclient, ["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: dump.output).command
        let commands = (root.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        #expect(commands.count > 30)
        for command in commands {
            let lines = command.discussion?.split(separator: "\n") ?? []
            let isExample = { (line: Substring) in
                line.hasPrefix("  ") && line.contains("feedclient \(command.commandName)")
            }
            #expect(lines.contains(where: isExample), "\(command.commandName)")
        }
        // The decoder of pictures is not for users.
        #expect(!commands.contains { $0.commandName == "decode-picture" })
    }
}
