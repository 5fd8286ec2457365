import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A classic login permits only reading; the error for other commands states this.
@Suite(.hangLimit)
struct ClassicLoginTests {
    private static func loggedIn() async throws -> (ServerProcess, ClientHome) {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada", options: ["--display-name", "Harriet Plum"])
        let token = try await server.token("ada")
        _ = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: ["Authorization: Bearer \(token)"],
            body: Data("status=hello".utf8))
        let home = try ClientHome()
        let login = try await home.run(
            "login", server.address, "--classic", "--username", "ada", "--password-stdin", input: "secretsecret\n")
        #expect(login.code == 0, "\(login.error)")
        return (server, home)
    }

    @Test func onlyOneTimelineIsAvailable() async throws {
        let (server, home) = try await Self.loggedIn()
        for name in ["@ada", "public"] {
            let done = try await home.run("timeline", name)
            #expect(done.code == 2 && done.error.contains("only one timeline"), "\(done.error)")
            #expect(try await home.run("timeline", name, "--offline").code == 2)
        }
        let read = try await home.run("timeline", "--limit", "200")
        #expect(read.code == 0 && read.text.contains("hello") && read.error.contains("only the newest 50"))
        #expect(read.text.contains("Harriet Plum") && !read.text.contains("@"), "\(read.text)")
        try await server.stop()
        #expect(try await home.run("timeline", "home", "--offline").text.contains("hello"))
        #expect(try await home.run("timeline", "--offline").text.contains("hello"))
    }

    /// The name is the one that the user was told to enter.
    @Test func nameIsPrintedWithoutControlCharacters() async throws {
        let (server, home) = try await Self.loggedIn()
        let file = home.folder.path + "/config/feedclient/credentials.json"
        let stored = try String(contentsOfFile: file, encoding: .utf8)
        let changed = stored.replacing(#""username" : "ada""#, with: #""username" : "a\u001b[31mda\u202e""#)
        #expect(changed != stored)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await home.run("whoami").text == "@a[31mda on \(server.address)\n")
    }

    @Test func writingCommandsAreRejected() async throws {
        let (_, home) = try await Self.loggedIn()
        for arguments in [["post", "x"], ["files"], ["upload", "/x"], ["delete", "1"], ["follow", "@ada"]] {
            let done = try await Tool.run(Programs.feedclient, arguments, environment: home.environment)
            #expect(done.code == 4 && done.error.contains("can only read"), "\(arguments): \(done.error)")
        }
    }
}
