import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `--as` and `use`, options before the command, and mistyped commands.
@Suite(.hangLimit)
struct GlobalOptionTests {
    @Test func loginsAreChosenAndSwitched() async throws {
        let first = try await ClientPeople.start("ada")
        let second = try await ServerProcess.start()
        let home = first.homes[0]
        for name in ["ada", "bob"] { try await second.addAccount(name) }
        for name in ["ada", "bob"] { _ = try await home.login(second, name) }
        let here = "@ada@127.0.0.1:\(first.server.port)"
        #expect(try await home.run("whoami").text.hasPrefix("@bob"))
        #expect(try await home.run("--as", here, "whoami").text == "@ada on \(first.server.address)\n")
        #expect(try await home.run("whoami", "--as=\(here)").text == "@ada on \(first.server.address)\n")
        let other = ["FEEDCLIENT_SERVER": second.address]
        #expect(
            try await home.run("whoami", "--as", here, environment: other).text
                == "@ada on \(first.server.address)\n")
        #expect(
            try await home.run("whoami", "--as", "ada", "--server", second.address).text
                == "@ada on \(second.address)\n")
        let ambiguous = try await home.run("whoami", "--as", "@ada")
        #expect(ambiguous.code == 2 && ambiguous.error.contains(here), "\(ambiguous.error)")
        // Whoever has several logins may think of another server.
        let missing = try await home.run("show", "1111111", "--as", here)
        #expect(missing.code == 3 && missing.error.contains("(127.0.0.1:\(first.server.port))"), "\(missing.error)")
        // Neither other servers nor local files are confused with it.
        for arguments in [
            ["download", "http://127.0.0.1:1/x"], ["profile", "--set", "avatar=no.png"], ["upload", "no"],
        ] {
            let other = try await home.run(arguments + ["--as", here])
            #expect(other.code != 0 && !other.error.contains("(127.0.0.1:"), "\(arguments): \(other.error)")
        }
        #expect(try await home.run("post", "x", "--as", "@nobody").code == 4)
        #expect(try await home.run("whoami", "--as", "@").code == 2)
        #expect(try await home.run("whoami").text.hasPrefix("@bob"))
        #expect(try await home.run("use", here).text == "now @ada on \(first.server.address)\n")
        #expect(try await home.run("whoami").text == "@ada on \(first.server.address)\n")
        #expect(try await home.run("accounts").text.hasPrefix("* @ada on \(first.server.address)\n"))
        #expect(try await home.run("use", "bob").code == 0)
        #expect(try await home.run("accounts").text.hasPrefix("* @bob on \(second.address)\n"))
        #expect(try await home.run("use", "@ada").code == 2)
        #expect(try await home.run("use", "@nobody").code == 4)
    }

    @Test func optionsMayPrecedeTheCommand() async throws {
        let server = try await ServerProcess.start()
        let home = try ClientHome()
        let early = try await home.run("--server", server.address, "-v", "ping")
        #expect(
            early.code == 0 && early.text.contains("responds in") && early.error.contains("> GET"), "\(early.error)")
        #expect(try await home.run("--server=" + server.address, "timeline", "public").code == 0)
        #expect(try await home.run("--server", server.address, "lists", "show", "x").code == 4)
        #expect(try await home.run("cache", "--server", server.address, "stats").code == 0)
        #expect(try await home.run("--server", server.address, "--help").code == 0)
        let incomplete = try await home.run("--server")
        #expect(incomplete.code == 2 && incomplete.error.contains("Missing value"), "\(incomplete.error)")
        #expect(try await home.run("help", "lists", "add").code == 0)
    }

    /// Each command is in the overview once, with a line of its own.
    @Test func overviewNamesEveryCommand() async throws {
        let help = try await ClientHome().run("--help").text
        let names = help.split(separator: "\n").compactMap { $0.prefixMatch(of: #/  ([a-z]+) /#).map { String($0.1) } }
        for name in ["timeline", "post", "boost", "follow", "upload", "login", "cache"] {
            #expect(names.count { $0 == name } == 1, "\(name): \(help)")
        }
    }

    @Test(
        arguments: [
            ("tmeline", "Did you mean feedclient timeline?"), ("unboost", "Did you mean feedclient boost --undo?"),
            ("qqqqqq", "feedclient --help lists the commands."),
        ])
    func mistypedCommandsHaveSuggestions(word: String, hint: String) async throws {
        for arguments in [[word], [word, "x"], ["-v", word], [word, "--json"], ["help", word]] {
            let done = try await Tool.run(
                Programs.feedclient, arguments, environment: try ClientHome().environment)
            #expect(done.code == 2 && done.text.isEmpty, "\(arguments): \(done.code)")
            #expect(
                done.error == "error: Unknown command \"\(word)\"\nhint: \(hint)\n", "\(arguments): \(done.error)")
        }
    }

    @Test func pingDescribesTheServer() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let lines = try await ClientHome().run("ping", "--server", server.address).text.split(separator: "\n")
        try #require(lines.count == 4, "\(lines)")
        #expect(lines[0].hasPrefix("\(server.address) responds in ") && lines[0].hasSuffix(" ms"))
        #expect(lines[1].hasPrefix("name: ") && lines[2].contains("feedserver"))
        #expect(lines[3] == "content: 1 account, 0 statuses")
    }
}
