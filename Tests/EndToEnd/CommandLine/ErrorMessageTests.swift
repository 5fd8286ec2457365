import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Each error is reported once, with its name and a hint.
@Suite(.hangLimit)
struct ErrorMessageTests {
    @Test func missingLoginErrorNamesTheServer() async throws {
        let server = try await ServerProcess.start()
        let home = try ClientHome()
        let commands = [
            ["post", "x"], ["files"], ["upload", "/x"], ["timeline", "home"], ["delete", "1"], ["follow", "@ada"],
        ]
        for arguments in commands {
            let done = try await Tool.run(
                Programs.feedclient, arguments + ["--server", server.address], environment: home.environment)
            #expect(
                done.code == 4 && done.error.contains("Not logged in to \(server.address)")
                    && done.error.contains("feedclient login \(server.address)"), "\(arguments): \(done.error)")
        }
    }

    @Test func rejectionsAreReportedOnce() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        let wrong = try await home.login(server, "ada", password: "wrong")
        #expect(wrong.code == 4 && wrong.error.components(separatedBy: "Wrong username").count == 2, "\(wrong.error)")
        _ = try await home.login(server, "ada")
        let blank = try await home.run("post", "   ")
        #expect(blank.code == 1 && blank.error.contains("blank") && !blank.error.contains("hint"), "\(blank.error)")
        let me = try await home.run("follow", "@Ada")
        #expect(me.code == 1 && me.error.contains("cannot follow yourself"), "\(me.error)")
        for arguments in [
            ["user", "nobody"], ["timeline", "@nobody"], ["follow", "nobody"], ["unfollow", "@nobody"],
        ] {
            let done = try await Tool.run(Programs.feedclient, arguments, environment: home.environment)
            #expect(done.code == 3 && done.error.contains("No account @nobody"), "\(arguments): \(done.error)")
        }
    }

    @Test(arguments: [[""], ["x", "-o", ""], ["--resume", ""], ["x", "-o", "-"]])
    func downloadRequiresNames(_ arguments: [String]) async throws {
        let home = try ClientHome()
        let done = try await Tool.run(
            Programs.feedclient, ["download", "--server", "http://127.0.0.1:1"] + arguments,
            environment: home.environment)
        #expect(done.code == 2 && done.error.hasPrefix("error: "), "\(done.error)")
    }

    /// No request is needed to notice these mistakes.
    @Test(arguments: [
        (["timeline", "public", "--before", "garbage"], "does not identify a status"),
        (["timeline", "public", "--since", "garbage"], "does not identify a status"),
        (["timeline", "public", "-n", "0"], "-n (--limit) must be"), (["search", ""], "QUERY must not be empty"),
        (["search", " ", "\t"], "QUERY must not be empty"), (["search", "x", "-n", "10001"], "-n (--limit) must be"),
    ])
    func mistakesInArgumentsAreUsageErrors(arguments: [String], words: String) async throws {
        let done = try await ClientHome().run(arguments + ["--server", "http://127.0.0.1:1"])
        #expect(done.code == 2 && done.error.contains(words), "\(done.error)")
    }

    @Test func statusCanBeReferencedByURL() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let address = try await home.run("post", "first").text.trimmingCharacters(in: .newlines)
        let reply = try await home.run("post", "second", "--reply-to", address, "--json")
        let id = try #require(address.split(separator: "/").last)
        #expect(reply.code == 0 && reply.text.contains("\"in_reply_to_id\":\"\(id)\""), "\(reply.error)")
        #expect(try await home.run("show", address).text.contains("first"))
        #expect(try await home.run("delete", address).code == 0)
        #expect(try await home.run("show", String(id)).code == 3)
        for text in ["https://other.example/@ada/\(id)", "", server.address] {
            for command in [["show", text], ["delete", text], ["post", "x", "--reply-to", text]] {
                let done = try await Tool.run(Programs.feedclient, command, environment: home.environment)
                #expect(done.code == 2 && done.error.contains("error: "), "\(command): \(done.error)")
            }
        }
    }

    @Test func textMayBeginWithADashAfterASeparator() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        for text in ["-dash", "-first", "--first"] {
            let done = try await home.run("post", text)
            #expect(done.code == 2 && done.text.isEmpty && done.error.contains("hint: Put --"), "\(done.error)")
            #expect(try await home.run("post", "--", text).code == 0)
        }
        let help = try await home.run("post", "-h")
        #expect(help.code == 0 && help.text.contains("USAGE"))
    }

    @Test func schemesAreCaseInsensitive() async throws {
        let server = try await ServerProcess.start()
        let home = try ClientHome()
        #expect(try await home.run("ping", "--server", "HTTP://127.0.0.1:\(server.port)").code == 0)
        #expect(try await home.run("ping", "--server", "ftp://127.0.0.1").code == 2)
        #expect(try await home.run("login", "ftp://127.0.0.1", "--username", "a", "--password-stdin").code == 2)
    }
}
