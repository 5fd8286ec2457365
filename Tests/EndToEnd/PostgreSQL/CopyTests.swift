import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Copying a feed to PostgreSQL and back.
@Suite(.hangLimit, .serialized, .enabledWithPostgreSQL)
struct CopyTests {
    private static func copy(_ source: String, _ target: String) async throws -> Finished {
        try await Tool.run(Programs.feedserver, ["copy", "--from", source, "--to", target])
    }

    /// The bodies of the pages that visitors can see.
    private static func pages(_ server: ServerProcess) async throws -> [String: String] {
        var pages: [String: String] = [:]
        func page(_ path: String) async throws -> String {
            let response = try await RawHTTP.send(port: server.port, "GET", path)
            try #require(response.status == 200, "\(path): \(response.text)")
            pages[path] = response.text
            return response.text
        }
        var next: String? = "/api/v1/timelines/public?limit=40"
        while let path = next {
            let text = try await page(path)
            let oldest = text.matches(of: /"id":"(\d+)","created_at":"[^"]*","in_reply_to_id"/).last.map { $0.1 }
            next = oldest.map { "/api/v1/timelines/public?limit=40&max_id=\($0)" }
        }
        let found = try await page("/api/v2/search?q=a&type=accounts&limit=40")
        for match in found.matches(of: /"id":"(\d+)","username":"(\w+)"/) {
            for path in [
                "/api/v1/accounts/\(match.1)/statuses?limit=40", "/api/v1/accounts/\(match.1)/followers",
                "/@\(match.2)",
            ] {
                _ = try await page(path)
            }
        }
        return pages
    }

    @Test func feedIsIdenticalOnTheOtherEngineAndBack() async throws {
        let (cluster, folder, back) = (try await PostgresCluster(), try TemporaryFolder(), try TemporaryFolder())
        let options = ["--base-url", "http://feed.test"]
        let first = try await ServerProcess.start(folder: folder, options + ["--demo"])
        let expected = try await Self.pages(first)
        #expect(expected.count > 100)
        let refused = try await Self.copy(first.data, cluster.address)
        #expect(refused.code == 1 && refused.error.contains("hint: Stop"), "\(refused.error)")
        try await first.stop()

        let there = try await Self.copy(first.data, cluster.address)
        #expect(there.code == 0 && there.error.contains("equal to its source"), "\(there.error)")
        let second = try await ServerProcess.start(folder: folder, options + ["--database", cluster.address])
        #expect(try await Self.pages(second) == expected)
        try await second.stop()

        let again = try await Self.copy(cluster.address, back.path + "/data")
        #expect(again.code == 0, "\(again.error)")
        let third = try await ServerProcess.start(folder: back, options)
        #expect(try await Self.pages(third) == expected)
        let taken = try await Self.copy(back.path + "/data", cluster.address)
        #expect(taken.code == 1)
    }

    /// Attachments with thumbnails, an avatar and a header keep their addresses and their content.
    @Test func mediaIsShownByTheOtherEngineAndAfterTheWayBack() async throws {
        let (cluster, back) = (try await PostgresCluster(), try TemporaryFolder())
        let first = try await FileServer.start()
        try await MediaBackupTests.fill(first)
        let (statuses, pictures) = (try await first.statuses(), try await first.pictures())
        #expect(pictures.count >= 5)
        let (folder, data) = (first.process.folder, first.process.data)
        try await first.process.stop()

        #expect(try await Self.copy(data, cluster.address).code == 0)
        let second = first.moved(
            to: try await ServerProcess.start(folder: folder, ["--database", cluster.address]))
        #expect(try await second.pictures() == pictures)
        #expect(try await second.statuses().map(\.content) == statuses.map(\.content))
        #expect(try await second.post("there", [try await second.media(SampleImages.gif)]).status == 200)
        let (more, all) = (try await second.statuses(), try await second.pictures())
        let check = try await second.process.admin("check", "--database", cluster.address)
        #expect(check.code == 0, "\(check.text) \(check.error)")
        try await second.process.stop()

        #expect(try await Self.copy(cluster.address, back.path + "/data").code == 0)
        // Files stay in the data folder.
        let blobs = try await Tool.run("cp", ["-r", data + "/blobs", back.path + "/data/"])
        #expect(blobs.code == 0, "\(blobs.error)")
        let third = first.moved(to: try await ServerProcess.start(folder: back))
        #expect(try await third.pictures() == all)
        #expect(try await third.statuses().map(\.content) == more.map(\.content))
        let last = try await third.process.admin("check")
        #expect(last.code == 0, "\(last.text) \(last.error)")
    }

    @Test func databaseURLMustNotContainAPassword() async throws {
        let done = try await Tool.run(
            Programs.feedserver, ["account", "list", "--database", "postgresql://ada:secret@localhost/feed"])
        #expect(done.code == 64 && done.error.contains("PGPASSFILE") && !done.error.contains("secret@"))
    }

    @Test func missingLibraryErrorNamesThePackage() async throws {
        let done = try await Tool.run(
            Programs.feedserver, ["account", "list", "--database", "postgresql://localhost/feed"],
            environment: ["FEED_WITHOUT": "pq"])
        #expect(done.code == 1 && done.error.contains("apt install libpq5"), "\(done.error)")
    }

    @Test func databaseOfAnotherProgramIsRejected() async throws {
        let cluster = try await PostgresCluster()
        _ = try await cluster.query("CREATE TABLE theirs (id int)")
        let done = try await Tool.run(Programs.feedserver, ["serve", "--port", "0", "--database", cluster.address])
        #expect(
            done.code == 1 && done.error.contains("another program") && done.error.contains("hint:"), "\(done.error)")
        let old = try await Tool.run(
            Programs.feedserver, ["account", "list", "--database", "postgresql://127.0.0.1:1/x"])
        #expect(old.code == 1 && old.error.contains("cannot use") && old.error.contains("hint:"), "\(old.error)")
    }
}
