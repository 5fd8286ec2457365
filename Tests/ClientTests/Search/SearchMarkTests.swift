import FeedAPI
import FeedTerminal
import FeedTestSupport
import Foundation
import Testing

@testable import FeedClientKit
@testable import feedclient

/// What was searched for is marked in the text of a status, and nowhere else.
@Suite struct SearchMarkTests {
    private static func lines(_ content: String, _ query: String, hasColor: Bool, columns: Int = 80) throws -> String {
        let entry = try StoreFixture.entry(7, content)
        var renderer = StatusRenderer(columns: columns, style: TextStyle(hasColor: hasColor), now: nil)
        renderer.search = SearchQuery(query)
        return renderer.lines(entry.status).joined(separator: "\n")
    }

    private static func mark(_ text: String) -> String { "\u{1B}[1;31m\(text)\u{1B}[0m" }

    @Test func matchesAreColoured() throws {
        let shown = try Self.lines("<p>A Heron, two herons; 東京都</p>", "heron* 京 -two", hasColor: true)
        #expect(shown.contains("A \(Self.mark("Heron")), two \(Self.mark("herons")); 東\(Self.mark("京都"))"))
        let wrapped = try Self.lines("<p>a heron and one more heron</p>", "heron", hasColor: true, columns: 20)
        #expect(wrapped.components(separatedBy: Self.mark("heron")).count == 3)
    }

    @Test func nothingIsMarkedWithoutColour() throws {
        let shown = try Self.lines("<p>A Heron</p>", "heron", hasColor: false)
        #expect(shown.contains("A Heron") && !shown.contains("\u{1B}"))
    }
}
