import FeedTestSupport
import Foundation
import Testing

/// The text of the README, if the checkout has one.
private let manual: String? = {
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    return try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
}()

/// The commands in the README must work as shown.
@Suite(.enabled(if: manual != nil, "README.md is not here"), .generousTimeLimit)
struct ReadmeTests {
    @Test func exampleCanBeImported() async throws {
        let readme = try #require(manual)
        let block = try #require(readme.firstMatch(of: /(?s)```json\n(.*?)```/)).1
        let folder = try TemporaryFolder()
        let file = try folder.file("feed.ndjson", String(block))
        let done = try await Tool.run(Programs.feedserver, ["import", file, "--data", folder.path + "/data"])
        #expect(done.code == 0 && done.error == "imported 2 accounts, 1 follow, 2 statuses\n", "\(done.error)")
    }
}
