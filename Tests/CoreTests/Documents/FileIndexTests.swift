import Foundation
import Testing

/// The index in `README.md` names files that exist, and at least one in every folder of `Sources`.
@Suite(.timeLimit(.minutes(15)))
struct FileIndexTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the index: a behavior and the path of a file below `Sources`, without `.swift`.
    private static func index() throws -> [(behavior: String, path: String)] {
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let index = try #require(text.firstMatch(of: /(?s)<details><summary>Index: .*?<\/details>/)).0
        return index.matches(of: /\| (.+) \| `(.+)` \|\n/).map { (String($0.1), String($0.2)) }
    }

    /// The paths of all source files below `Sources`, without `.swift`.
    private static func files() throws -> Set<String> {
        let folder = root.appendingPathComponent("Sources").path
        let paths = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        return Set(paths.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) })
    }

    private static func folder(_ path: String) -> String { NSString(string: path).deletingLastPathComponent }

    @Test func everyFileExists() throws {
        let index = try Self.index()
        let files = try Self.files()
        #expect(index.count > 150)
        for row in index where !files.contains(row.path) {
            Issue.record("\(row.behavior): there is no Sources/\(row.path).swift")
        }
    }

    /// A new folder needs a row.
    @Test func everyFolderAppears() throws {
        let indexed = Set(try Self.index().map { Self.folder($0.path) })
        let missing = Set(try Self.files().map(Self.folder)).subtracting(indexed).sorted()
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func eachBehaviorAppearsOnce() throws {
        let rows = Dictionary(grouping: try Self.index(), by: \.behavior).filter { $0.value.count > 1 }
        #expect(rows.isEmpty, "\(rows.keys.sorted())")
    }
}
