import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The commands in the documents work as shown.
@Suite(.hangLimit)
struct ManualTests {
    private static func text(_ path: String) throws -> String {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The commands of a program in code spans, and at the beginnings of the lines of code blocks.
    private static func commands(of program: String, in text: String) -> Set<String> {
        var found: Set<String> = []
        for (index, part) in text.components(separatedBy: "```").enumerated() {
            let isBlock = index % 2 == 1
            for piece in part.components(separatedBy: isBlock ? "\n" : "`") where piece.hasPrefix(program + " ") {
                let word = piece.dropFirst(program.count + 1).prefix { $0.isASCII && ($0.isLowercase || $0 == "-") }
                if word.first?.isLowercase == true { found.insert(String(word)) }
            }
        }
        return found
    }

    @Test func commandsAreFound() {
        let text = "`a run` and a b, a `x` a c\n```sh\na go --now\nb a no\n```\n`a stop NAME` or `a --help`"
        #expect(Self.commands(of: "a", in: text) == ["run", "go", "stop"])
    }

    @Test(arguments: ["README.md", "Docs/client.md", "Docs/operating.md"])
    func namedCommandsExist(path: String) async throws {
        let text = try Self.text(path)
        var count = 0
        for (name, program) in [("feedserver", Programs.feedserver), ("feedclient", Programs.feedclient)] {
            // What `ps` shows, but `--help` does not.
            let named = Self.commands(of: name, in: text).subtracting(["process-media"])
            count += named.count
            let missing = named.subtracting(try await CommandList.of(program))
            #expect(missing.isEmpty, "\(path) names \(missing.sorted()) of \(name)")
        }
        #expect(count > 5)
    }

    @Test func clientManualNamesEveryCommand() async throws {
        let text = try Self.text("Docs/client.md")
        let named = Self.commands(of: "feedclient", in: text)
        let missing = try await CommandList.of(Programs.feedclient).filter { command in
            !named.contains(command) && !text.contains("`\(command) ")
        }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func exampleCanBeImported() async throws {
        let guide = try Self.text("Docs/operating.md")
        let section = try #require(guide.components(separatedBy: "## Importing\n").dropFirst().first)
        let block = try #require(section.firstMatch(of: /(?s)```json\n(.*?)```/)).1
        let folder = try TemporaryFolder()
        let file = try folder.file("feed.ndjson", String(block))
        let done = try await Tool.run(Programs.feedserver, ["import", file, "--data", folder.path + "/data"])
        #expect(done.code == 0 && done.error.hasSuffix("imported 2 accounts, 1 follow, 2 statuses\n"), "\(done.error)")
    }
}
