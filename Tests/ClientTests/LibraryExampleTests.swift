import Foundation
import Testing

/// The README's example compiles.
@Suite struct LibraryExampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
    }

    @Test func readmeShowsTheCompiledExample() throws {
        let compiled = try Self.lines("LibraryExample.swift").drop { !$0.hasPrefix("func ") }.dropFirst()
            .prefix { $0 != "}" }
            .map { String($0.dropFirst(4)) }
        let shown = try Self.lines("../../README.md").drop { $0 != "<!-- library example -->" }.dropFirst(2)
            .prefix { $0 != "```" }
        #expect(Array(shown) == ["import FeedClientKit", ""] + compiled)
    }
}
