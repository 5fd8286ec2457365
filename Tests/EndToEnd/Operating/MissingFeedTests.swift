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

    @Test func failedCommandCreatesNoFeed() async throws {
        let folder = try TemporaryFolder()
        let data = ["--data", folder.path + "/data"]
        let add = ["account", "add", "ada", "--password-stdin"]
        #expect(try await Tool.run(Programs.feedserver, add + data, input: Data("\n".utf8)).code == 1)
        #expect(try await Tool.run(Programs.feedserver, ["import", folder.path + "/none"] + data).code == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
