import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient post --media`, and the pages that show the result.
@Suite(.hangLimit)
struct MediaPostTests {
    private let home: ClientHome

    init() throws { home = try ClientHome() }

    /// A server with a login of ada.
    private func server() async throws -> ServerProcess {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        _ = try await home.login(server, "ada")
        return server
    }

    /// A PNG on the disk: a picture that the server draws.
    private func picture(_ name: String, from server: ServerProcess) async throws -> String {
        let drawn = try await RawHTTP.send(port: server.port, "GET", "/avatars/ada")
        try #require(drawn.status == 200)
        let path = try home.folder.file(name)
        try drawn.body.write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func object(_ done: Finished) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: done.output) as? [String: Any], "\(done.code) \(done.error)")
    }

    @Test func postedMediaIsShown() async throws {
        let server = try await server()
        let (one, two) = (
            try await picture("one.png", from: server), try await picture("two.png", from: server)
        )
        let posted = try await home.run(
            "post", "look", "--media", one, "--alt", "A \"badge\" <1>", "--media", two, "--alt", "-2", "--json",
            "--progress", "json")
        #expect(posted.code == 0 && posted.error.contains("\"finished\":true"), "\(posted.error)")
        let status = try Self.object(posted)
        let media = try #require(status["media_attachments"] as? [[String: Any]])
        #expect(media.map { $0["description"] as? String } == ["A \"badge\" <1>", "-2"])
        #expect(media.allSatisfy { $0["type"] as? String == "image" && $0["url"] is String })
        let id = try #require(status["id"] as? String)
        for command in ["show \(id)", "timeline home", "timeline home --offline"] {
            let shown = try await Tool.run(
                Programs.feedclient, command.split(separator: " ").map(String.init), environment: home.environment)
            #expect(shown.text.contains("▣ image") && shown.text.contains(": A \"badge\" <1>"), "\(command)")
            #expect(shown.text.contains("/media/"), "\(command)")
        }
        try await Self.checkPage("/@ada/\(id)", server)
    }

    @Test func focusAndThumbnailBelongToTheirMedia() async throws {
        let server = try await server()
        let (one, two) = (try await picture("one.png", from: server), try await picture("two.png", from: server))
        let posted = try await home.run(
            "post", "look", "--media", one, "--media", two, "--focus", "", "--focus", "-0.5,1", "--thumbnail", two,
            "--json")
        #expect(posted.code == 0, "\(posted.error)")
        let media = try #require(try Self.object(posted)["media_attachments"] as? [[String: Any]])
        let focus = media.map { ($0["meta"] as? [String: Any])?["focus"] as? [String: Double] }
        #expect(focus[0] == nil || focus[0] == ["x": 0, "y": 0])
        #expect(focus[1] == ["x": -0.5, "y": 1])
        #expect(try await home.run("post", "x", "--media", one, "--focus", "2,0").code == 2)
        #expect(try await home.run("post", "x", "--thumbnail", one).code == 2)
        let bad = try await home.run("post", "x", "--media", one, "--thumbnail", try home.folder.file("t.txt", "text"))
        #expect(bad.code == 1 && bad.error.contains("t.txt: not a picture"), "\(bad.error)")
    }

    /// The page names both pictures, and its addresses lead to them.
    private static func checkPage(_ path: String, _ server: ServerProcess) async throws {
        let page = try await RawHTTP.send(port: server.port, "GET", path)
        #expect(page.headers["content-security-policy"]?.contains("media-src 'self'") == true)
        #expect(page.text.contains("class=\"gallery gallery-2\""))
        #expect(page.text.contains("alt=\"A &quot;badge&quot; &lt;1&gt;\"") && page.text.contains("alt=\"-2\""))
        let pattern = /<a class="picture" href="([^"]+)">.*?src="(\/media\/[^"]+)".*?( width="\d+")/
        let pictures = page.text.matches(of: pattern)
        #expect(pictures.count == 2)
        for picture in pictures {
            let own = try await RawHTTP.send(port: server.port, "GET", String(picture.1)).text
            let original = try #require(own.firstMatch(of: /<a href="(\/media\/[^"]+)">Original file/)).1
            for target in [original, picture.2] {
                let response = try await RawHTTP.send(port: server.port, "GET", String(target))
                #expect(response.status == 200 && response.headers["content-type"]?.hasPrefix("image/") == true)
            }
        }
    }

    @Test func contentWarningCoversMedia() async throws {
        let server = try await server()
        let path = try await picture("one.png", from: server)
        let posted = try await home.run(
            "post", "look", "--media", path, "--alt", "secret", "--spoiler", "cw", "--json")
        let status = try Self.object(posted)
        #expect(status["sensitive"] as? Bool == true)
        let timeline = try await home.run("timeline", "home")
        #expect(timeline.text.contains("⚠ cw") && timeline.text.contains("▣ image"))
        #expect(!timeline.text.contains("secret") && !timeline.text.contains("/media/"))
        let id = try #require(status["id"] as? String)
        #expect(try await home.run("show", id).text.contains(": secret"))
    }

    @Test func mediaNeedsNoText() async throws {
        let server = try await server()
        let path = try await picture("one.png", from: server)
        let posted = try await home.run("post", "--media", path)
        #expect(posted.code == 0 && posted.text.hasPrefix(server.address + "/@ada/"), "\(posted.error)")
        // Text from a pipe is not lost.
        #expect(try await home.run("post", "--media", path, input: "piped\n").code == 0)
        #expect(try await home.run("timeline", "home").text.contains("piped"))
    }

    /// Nothing is posted, and nothing stays behind. A file that is no medium is not even sent.
    @Test func refusedMediaIsNamed() async throws {
        let server = try await server()
        let good = try await picture("good.png", from: server)
        let text = try home.folder.file("notes.png", "this is no picture")
        let refused = try await home.run("post", "x", "--media", good, "--media", text)
        #expect(refused.code == 1 && refused.error.contains("error: notes.png: "), "\(refused.error)")
        let long = try await home.run("post", String(repeating: "x", count: 600), "--media", good)
        #expect(long.code == 1 && long.error.contains("500"), "\(long.error)")
        #expect(try await home.run("timeline", "home", "--json").text.isEmpty)
        try await Wait.until("a deletion is logged") { server.log.contains("method=DELETE") }
    }

    @Test func unusableFilesAreReportedBeforeAnythingIsSent() async throws {
        let server = try await server()
        let missing = try await home.run("post", "x", "--media", home.folder.path + "/nothing.png")
        #expect(missing.code == 3 && missing.error.contains("nothing.png"), "\(missing.error)")
        let folder = try await home.run("post", "x", "--media", home.folder.path)
        #expect(folder.code == 1 && folder.error.contains("not a regular file"), "\(folder.error)")
        #expect(try await home.run("timeline", "home", "--json").text.isEmpty)
        try await server.stop()
        #expect(!server.log.contains("/media"))
    }

    @Test func badOptionsAreUsageErrors() async throws {
        let many = (1...5).flatMap { ["--media", "\($0).png"] }
        for arguments in [many, ["--alt", "x"], ["--media", "a.png", "--alt", "x", "--alt", "y"], ["--media"]] {
            let done = try await Tool.run(
                Programs.feedclient, ["post", "text"] + arguments, environment: home.environment)
            #expect(done.code == 2 && done.error.hasPrefix("error: "), "\(arguments): \(done.error)")
        }
    }
}
