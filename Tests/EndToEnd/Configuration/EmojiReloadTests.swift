import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Custom emoji are read at the start and on SIGHUP.
@Suite(.hangLimit)
struct EmojiReloadTests {
    private static func shortcodes(_ server: ServerProcess) async throws -> [String] {
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v1/custom_emojis")
        let list = try JSONSerialization.jsonObject(with: response.body) as? [[String: Any]] ?? []
        return list.compactMap { $0["shortcode"] as? String }
    }

    private static func reload(_ server: ServerProcess, until words: String) async throws {
        kill(server.processID, SIGHUP)
        try await Wait.until("the log says \(words)") { server.log.contains(words) }
    }

    @Test func emojiAreReadAtTheStartAndOnSIGHUP() async throws {
        let folder = try TemporaryFolder()
        let emoji = folder.path + "/data/emoji"
        try FileManager.default.createDirectory(atPath: emoji, withIntermediateDirectories: true)
        func add(_ name: String, _ seed: UInt8) throws {
            try Data(SampleMedia.png(seed)).write(to: URL(fileURLWithPath: emoji + "/" + name))
        }
        try add("wave.png", 1)
        let server = try await ServerProcess.start(folder: folder)
        #expect(try await Self.shortcodes(server) == ["wave"])
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let posted = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses",
            headers: ["Authorization: Bearer " + token, "Content-Type: application/json"],
            body: Data(#"{"status":"hello :wave: :cat:"}"#.utf8))
        #expect(posted.status == 200, "\(posted.text)")
        let before = try await RawHTTP.send(port: server.port, "GET", "/").text
        #expect(before.contains("/wave.png") && !before.contains("/cat.png"))
        try add("cat.png", 2)
        try add("not a shortcode.png", 3)
        try await Self.reload(server, until: "custom emoji reloaded")
        #expect(try await Self.shortcodes(server) == ["cat", "wave"])
        #expect(server.log.components(separatedBy: "some custom emoji are skipped").count == 2)
        let after = try await RawHTTP.send(port: server.port, "GET", "/").text
        #expect(after.contains("/wave.png") && after.contains("/cat.png"))
        let path = try #require(after.firstMatch(of: /src="(\/emoji\/[0-9a-f]+\/cat\.png)"/)).1
        let image = try await RawHTTP.send(port: server.port, "GET", String(path))
        #expect(image.status == 200 && Array(image.body) == SampleMedia.png(2))
        #expect(image.headers["cache-control"] == "public, max-age=31536000, immutable")
        #expect(try await server.stop() == 0)
    }
}
