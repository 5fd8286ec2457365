import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The client's commands against the real server.
@Suite(.hangLimit)
struct ClientTests {
    @Test func commonCommandsWorkTogether() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let home = try ClientHome()
        #expect(try await home.run("whoami").code == 4)
        #expect(try await home.login(server, "ada", password: "wrong").code == 4)
        #expect(try await home.login(server, "ada").code == 0)
        #expect(try await home.run("whoami").text == "@ada on \(server.address)\n")
        let posted = try await home.run("post", input: "Hello from a pipe\n\n中文 🎉\n")
        #expect(posted.code == 0 && posted.text.hasPrefix(server.address + "/@ada/"))
        let id = try #require(posted.text.split(separator: "/").last).trimmingCharacters(in: .newlines)
        let read = try await home.run("timeline")
        #expect(read.text.contains("Hello from a pipe") && read.text.contains("中文 🎉"))
        let reply = try await home.run(
            "post", "and an answer", "--reply-to", id, "--visibility", "private", "--spoiler", "cw")
        #expect(reply.code == 0)
        #expect(try await home.run("timeline", "public").text.contains("and an answer") == false)
        let shown = try await home.run("timeline", "home")
        #expect(shown.text.contains("⚠ cw") && !shown.text.contains("and an answer"))
        let replyID = try #require(reply.text.split(separator: "/").last).trimmingCharacters(in: .newlines)
        #expect(try await home.run("show", replyID).text.contains("and an answer"))

        let bob = try ClientHome()
        #expect(try await bob.login(server, "bob").code == 0)
        #expect(try await bob.run("timeline").text.isEmpty)
        #expect(try await bob.run("show", replyID).code == 3)
        #expect(try await bob.run("follow", "@ada").code == 0)
        #expect(try await bob.run("timeline", "--json").text.split(separator: "\n").count == 2)
        #expect(try await bob.run("show", replyID).code == 0)
        #expect(try await bob.run("user", "@ada").text.contains("2 statuses · 1 follower"))
        #expect(try await bob.run("delete", id).code == 3)
        #expect(try await bob.run("unfollow", "ada").code == 0)
        #expect(try await home.run("delete", id).code == 0)
        #expect(try await home.run("show", id).code == 3)
    }

    @Test func timelineIsReadableOffline() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        #expect(try await home.run("timeline", "--offline").code == 3)
        for text in ["one", "two", "three"] { _ = try await home.run("post", text) }
        let online = try await home.run("timeline", "home", "--limit", "2", "--json")
        try await server.stop()
        #expect(try await home.run("timeline", "home").code == 5)
        let offline = try await home.run("timeline", "home", "--offline", "--json")
        #expect(offline.code == 0 && offline.text == online.text && offline.error.contains("as of "))
        #expect(try await home.run("timeline", "public", "--offline").code == 3)
    }

    @Test func loginsAreStoredSafelyAndSeparately() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let token = try await server.token("bob")
        #expect(
            try await home.run("login", server.address, "--token-stdin", input: token + "\n").text.contains("as bob"))
        #expect(try await home.run("accounts").text == "* @bob on \(server.address)\n  @ada on \(server.address)\n")
        let path = home.folder.path + "/config/feedclient/credentials.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let verbose = try await home.run("whoami", "-v")
        #expect(verbose.error.contains("(hidden)") && !verbose.error.contains(token))
        #expect(try await home.run("logout").code == 0)
        #expect(try await home.run("whoami").text.hasPrefix("@ada"))
        let gone = try await RawHTTP.send(
            port: server.port, "GET", "/api/v1/accounts/verify_credentials", headers: ["Authorization: Bearer \(token)"]
        )
        #expect(gone.status == 401)
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await home.run("whoami").code == 8)
    }

    @Test func classicTimelineIsReadable() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada", options: ["--display-name", "Ada ✨"])
        let token = try await server.token("ada")
        _ = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: ["Authorization: Bearer \(token)"],
            body: Data("status=a%3Cb%26c%0Anext+line".utf8))
        let home = try ClientHome()
        let login = try await home.run(
            "login", server.address, "--classic", "--username", "ada", "--password-stdin", input: "secretsecret\n")
        #expect(login.code == 0)
        let shown = try await home.run("timeline")
        #expect(shown.text.contains("Ada ✨") && shown.text.contains("a<b&c") && shown.text.contains("next line"))
        #expect(try await home.run("whoami").text.contains("@ada"))
    }

    @Test func exitCodesMatchTheirCauses() async throws {
        let server = try await ServerProcess.start(enforcesRateLimits: true)
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.run("timeline", "--limit", "none").code == 2)
        #expect(try await home.run("timeline", "non sense").code == 2)
        #expect(try await home.run("login", "--password", "x").code == 2)
        #expect(try await home.run("timeline", "home", "--server", server.address).code == 4)
        #expect(try await home.run("post", "x", "--server", server.address).code == 4)
        _ = try await home.login(server, "ada")
        #expect(try await home.run("show", "1111").code == 3)
        #expect(try await home.run("user", "@nobody").code == 3)
        #expect(try await home.run("post", "   ").code == 1)
        #expect(try await home.run("download", "nothing.bin").code == 3)
        #expect(try await home.run("upload", "/nothing.bin").code == 3)
        #expect(try await home.run("ping", "--server", "http://127.0.0.1:1").code == 5)
        let file = try home.folder.file("a.txt", "content")
        #expect(try await home.run("upload", file, "/nothing.bin").code == 6)
        #expect(try await home.run("upload", file).text == server.address + "/files/a-2.txt\n")
        #expect(try await home.run("download", "a.txt").code == 1)
        let wrong = "sha-256:" + String(repeating: "0", count: 64)
        #expect(try await home.run("download", "a.txt", "-o", home.folder.path + "/b", "--checksum", wrong).code == 7)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.hasPrefix("b") }.isEmpty)
        #expect(try await home.run("download", "a.txt", "-o", "/proc/x").code == 8)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.hasSuffix(".part") }
                .isEmpty)
        var slowed = try await home.login(server, "ada", password: "wrong")
        // It takes more than eleven attempts if the window of five minutes ends in between.
        for _ in 0..<24 where slowed.code != 75 { slowed = try await home.login(server, "ada", password: "wrong") }
        #expect(slowed.code == 75 && slowed.error.contains("hint: "))
    }

    @Test func avatarsAreFetchedOnce() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        for text in ["one", "two"] { _ = try await home.run("post", text) }
        for _ in 0..<3 {
            let shown = try await home.run("timeline", "--images", "kitty")
            #expect(shown.text.contains("\u{1B}_Ga=T,f=100"))
        }
        try await Wait.until("the request is logged") { server.log.contains("path=/avatars/ada") }
        try await server.stop()
        #expect(server.log.components(separatedBy: "path=/avatars/ada").count == 2)
        #expect(try await home.run("cache", "stats").text.hasPrefix("1 picture, "))
        #expect(try await home.run("cache", "verify").text.hasSuffix("all intact\n"))
        #expect(try await home.run("cache", "clear").code == 0)
        #expect(try await home.run("cache", "stats").text.hasPrefix("0 pictures"))
    }

    @Test func unusualFileNamesRoundTrip() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let names = ["plain.txt", "with space.txt", "中文 🎉.txt", "q\"uote%41.txt", "a+b&c=d.txt"]
        for name in names {
            let path = try home.folder.file(name, "content of " + name)
            let done = try await home.run("upload", path)
            #expect(done.code == 0, "\(done.error)")
        }
        let list = try await home.run("files", "--json")
        let stored = try list.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["name"] as? String
        }
        #expect(Set(stored.compactMap(\.self)) == Set(names))
        for name in names {
            let done = try await home.run("download", name, "-o", home.folder.path + "/back")
            #expect(done.code == 0 && done.error.contains("sha-256 from the server"), "\(done.error)")
            #expect(try String(contentsOfFile: home.folder.path + "/back", encoding: .utf8) == "content of " + name)
            try FileManager.default.removeItem(atPath: home.folder.path + "/back")
        }
    }
}
