import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A mistyped folder must not look like a feed that has lost everything.
@Suite(.hangLimit)
struct MissingFeedTests {
    @Test(arguments: [
        ["account", "list"], ["account", "show", "ada"], ["account", "password", "ada", "--password-stdin"],
        ["token", "create", "ada"], ["token", "list", "ada"], ["token", "revoke", "1"], ["gc"],
        ["check"], ["check", "--repair"], ["vacuum"], ["backup", "/nonexistent/feed-backup"],
    ])
    func commandDoesNotCreateAMissingFeed(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "")
        for place in [folder.path + "/feeed", folder.path, file] {
            let done = try await Tool.run(
                Programs.feedserver, command + ["--data", place], input: Data("secretsecret\n".utf8))
            #expect(done.code == 1 && done.text.isEmpty)
            #expect(done.error.contains("no feed found in \(place)\nhint: ") && done.error.contains("--data"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    /// The copy would lack the uploaded files.
    @Test func folderIsNotCopiedToAnother() async throws {
        let folder = try TemporaryFolder()
        let done = try await Tool.run(
            Programs.feedserver, ["copy", "--from", folder.path + "/a", "--to", folder.path + "/b"])
        #expect(done.code == 64 && done.error.contains("feedserver backup and restore"), "\(done.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// Of an import into a new feed, nothing remains in the data folder or where temporary files are.
    @Test(.onSQLite) func dryRunCreatesNoFeed() async throws {
        let folder = try TemporaryFolder()
        let temporary = folder.path + "/tmp"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        for (line, code) in [(#"{"kind":"account","username":"ada"}"#, Int32(0)), (#"{"kind":"cat"}"#, 1)] {
            let file = try folder.file("feed.ndjson", line)
            let done = try await Tool.run(
                Programs.feedserver, ["import", file, "--dry-run", "--data", folder.path + "/data"],
                environment: ["TMPDIR": temporary])
            #expect(done.code == code, "\(done.error)")
            #expect(code == 1 || done.error.contains("would import 1 account"), "\(done.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["feed.ndjson", "tmp"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }

    /// Those that create a feed say so, the first time.
    @Test(.onSQLite) func newFeedIsAnnounced() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/feeed"
        for (name, isNew) in [("ada", true), ("bob", false)] {
            let done = try await Tool.run(
                Programs.feedserver, ["account", "add", name, "--password-stdin", "--data", data],
                input: Data("secretsecret\n".utf8))
            #expect(done.error == (isNew ? "created a new feed in \(data)\n" : "") + "added \(name)\n")
        }
        let server = try await ServerProcess.start(folder: folder)
        try await Wait.until("the start is logged") { server.log.contains(" notice starting ") }
        #expect(server.log.contains("data=\(server.data)"), "\(server.log)")
    }

    @Test func failedCommandCreatesNoFeed() async throws {
        let folder = try TemporaryFolder()
        let data = ["--data", folder.path + "/data"]
        let add = ["account", "add", "ada", "--password-stdin"]
        #expect(try await Tool.run(Programs.feedserver, add + data, input: Data("\n".utf8)).code == 1)
        #expect(try await Tool.run(Programs.feedserver, ["import", folder.path + "/none"] + data).code == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
