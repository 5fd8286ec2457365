import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A classic login permits reading and transferring files; the error for other commands states this.
@Suite(.hangLimit)
struct ClassicLoginTests {
    private static func loggedIn() async throws -> (ServerProcess, ClientHome) {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada", options: ["--display-name", "Harriet Plum", "--city", "Hull"])
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

    @Test func cityAndBadgeAreShown() async throws {
        let (server, home) = try await Self.loggedIn()
        #expect(try await home.run("timeline").text.contains("Hull · member"))
        #expect(try await home.run("timeline", "--offline").text.contains("Hull · member"))
        let account = try #require(try await home.run("timeline", "--json").object()["account"] as? [String: Any])
        let fields = try #require(account["fields"] as? [[String: Any]])
        #expect(fields.map { $0["value"] as? String } == ["Hull", "member"])
        try await server.stop()
    }

    @Test func filesAreTransferredInTheClassicDialect() async throws {
        let (server, home) = try await Self.loggedIn()
        let path = try home.folder.file("a é.txt", "content")
        let stored = try await home.run("upload", path, "--verbose")
        #expect(stored.code == 0 && stored.error.contains("/FileUpload.aspx?file="), "\(stored.error)")
        #expect(!stored.error.contains("secretsecret") && stored.error.contains("Authorization: (hidden)"))
        #expect(try await home.run("upload", path, "--replace").code == 4)
        #expect(try await home.run("upload", "/missing").code == 3)
        let copy = home.folder.path + "/copy"
        let loaded = try await home.run("download", "a é.txt", "-o", copy, "--verbose")
        #expect(loaded.code == 0 && loaded.error.contains("/FileDownload.aspx?file="), "\(loaded.error)")
        #expect(FileManager.default.contents(atPath: copy) == Data("content".utf8))
        #expect(try await home.run("download", "missing.txt").code == 3)
        let file = try await RawHTTP.send(port: server.port, "GET", "/files/a%20%C3%A9.txt")
        #expect(file.text == "content")
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
        for arguments in [["post", "x"], ["files"], ["delete", "1"], ["follow", "@ada"]] {
            let done = try await Tool.run(Programs.feedclient, arguments, environment: home.environment)
            #expect(done.code == 4 && done.error.contains("can only read"), "\(arguments): \(done.error)")
        }
    }
}
