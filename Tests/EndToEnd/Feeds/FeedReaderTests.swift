import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Programs of others read the feeds.
@Suite(.hangLimit)
struct FeedReaderTests {
    private static func driver(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Drivers/" + name)
    }

    private static func run(_ client: MastodonClient, _ script: String) async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let folder = try TemporaryFolder()
        let token = try await server.token("ada")
        let done = try await client.drive(driver(script), arguments: [server.address, token, folder.path])
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        // A script without steps would prove nothing.
        #expect(done.text.contains("ok "))
        try await server.stop()
    }

    @Test(.enabled(if: MastodonClient.feedparser.isInstalled, "it is not installed: scripts/foreign-clients"))
    func feedparserFindsNoFault() async throws { try await Self.run(.feedparser, "feedparser_feeds.py") }

    @Test(.enabled(if: MastodonClient.newsboat.isInstalled, "it is not installed: scripts/foreign-clients"))
    func newsboatShowsMarksAndUpdates() async throws { try await Self.run(.newsboat, "newsboat_feeds.py") }

    /// The demo has posts in several languages, media, polls, warnings and threads.
    @Test(.enabled(if: Tool.isInstalled("xmllint"), "it is not installed: scripts/foreign-clients"))
    func feedsOfTheDemoAreValid() async throws {
        let server = try await ServerProcess.start(["--demo"])
        let folder = try TemporaryFolder()
        for (number, path) in ["/feed", "/feed.atom?max_id=1", "/@demo/feed", "/tags/none/feed"].enumerated() {
            let address = path.contains(".") ? path : path + ".atom"
            let atom = try await RawHTTP.send(port: server.port, "GET", address)
            #expect(atom.status == 200 && atom.headers["content-type"] == "application/atom+xml; charset=utf-8")
            let file = try folder.file("\(number).atom", atom.text)
            let schema = Self.driver("atom.rng").path
            let checked = try await Tool.run("xmllint", ["--noout", "--relaxng", schema, file])
            #expect(checked.code == 0, "\(path): \(checked.error.prefix(1000))")
            guard !path.contains(".") else { continue }
            let rss = try await RawHTTP.send(port: server.port, "GET", path + ".rss")
            let parsed = try await Tool.run("xmllint", ["--noout", try folder.file("\(number).rss", rss.text)])
            #expect(parsed.code == 0, "\(path): \(parsed.error.prefix(1000))")
        }
        try await server.stop()
    }

    /// The switch, and that the ids are those of the feed, not of its folder: a restored backup keeps them.
    @Test func restoredFeedKeepsItsIDs() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let header = "Authorization: Bearer " + (try await server.token("ada"))
        let posted = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: [header], body: Data("status=hello".utf8))
        #expect(posted.status == 200)
        let before = try await Self.ids(server)
        #expect(before.count == 1)
        let backup = server.folder.path + "/backup"
        #expect(try await server.admin("backup", backup).code == 0)
        try await server.stop()
        let folder = try TemporaryFolder()
        let restored = try await Tool.run(Programs.feedserver, ["restore", backup, "--data", folder.path + "/data"])
        #expect(restored.code == 0, "\(restored.error)")
        let second = try await ServerProcess.start(folder: folder)
        #expect(try await Self.ids(second) == before)
        try await second.stop()
        let third = try await ServerProcess.start(folder: folder, environment: ["FEEDSERVER_NO_FEEDS": "true"])
        #expect(try await RawHTTP.send(port: third.port, "GET", "/feed.json").status == 404)
        try await third.stop()
    }

    private static func ids(_ server: ServerProcess) async throws -> [String] {
        let text = try await RawHTTP.send(port: server.port, "GET", "/feed.json").text
        return text.matches(of: /urn:uuid:[0-9a-f-]{36}/).map { String($0.0) }
    }
}
