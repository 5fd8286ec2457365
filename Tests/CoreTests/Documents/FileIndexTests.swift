import Foundation
import Testing

/// The index in `README.md` names files that exist, most source files, and at least one in every folder of `Sources`.
@Suite(.timeLimit(.minutes(15)))
struct FileIndexTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the index: a behavior, and the paths of files below `Sources`, without `.swift`, or of `Public`.
    private static func index() throws -> [(behavior: String, paths: [String])] {
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let index = try #require(text.firstMatch(of: /(?s)<details><summary>Index: .*?<\/details>/)).0
        return index.matches(of: /\| (.+) \| `(.+)` \|\n/).map { row in
            (String(row.1), String(row.2).components(separatedBy: "`, `"))
        }
    }

    private static func paths(in folder: String) throws -> [String] {
        let path = root.appendingPathComponent(folder).path
        return try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
    }

    /// The paths of all source files below `Sources`, without `.swift`.
    private static func files() throws -> Set<String> {
        Set(try paths(in: "Sources").filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) })
    }

    private static func folder(_ path: String) -> String { NSString(string: path).deletingLastPathComponent }

    @Test func everyFileExists() throws {
        let index = try Self.index()
        let files = try Self.files().union(Self.paths(in: "Public").map { "Public/" + $0 })
        #expect(index.count > 150)
        for row in index {
            for path in row.paths where !files.contains(path) {
                Issue.record("\(row.behavior): there is no file \(path)")
            }
        }
    }

    /// The index leaves out files without behavior of their own, such as protocols and records.
    @Test func mostFilesAppear() throws {
        let files = try Self.files()
        let indexed = files.intersection(try Self.index().flatMap(\.paths))
        #expect(indexed.count * 100 >= files.count * 60, "\(indexed.count) of \(files.count) files")
    }

    /// A new folder needs a row.
    @Test func everyFolderAppears() throws {
        let indexed = Set(try Self.index().flatMap(\.paths).map(Self.folder))
        let missing = Set(try Self.files().map(Self.folder)).subtracting(indexed).sorted()
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func eachBehaviorAppearsOnce() throws {
        let rows = Dictionary(grouping: try Self.index(), by: \.behavior).filter { $0.value.count > 1 }
        #expect(rows.isEmpty, "\(rows.keys.sorted())")
    }
}
