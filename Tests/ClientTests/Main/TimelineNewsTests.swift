import FeedClientKit
import FeedTerminal
import Testing

@testable import feedclient

/// The new statuses of a timeline, and the way they are shown.
@Suite struct TimelineNewsTests {
    struct Row: Sendable {
        let shown: String
        let fetched: String
        let newer: [Int]
        let older: Range<Int>
        let hasMet: Bool
    }

    /// Each character is an id; the numbers are positions in what was fetched.
    @Test(arguments: [
        Row(shown: "dcba", fetched: "dcba", newer: [], older: 4..<4, hasMet: true),
        Row(shown: "dcba", fetched: "fedc", newer: [0, 1], older: 4..<4, hasMet: true),
        Row(shown: "dcba", fetched: "hgfe", newer: [0, 1, 2, 3], older: 4..<4, hasMet: false),
        Row(shown: "dc", fetched: "edcb", newer: [0], older: 3..<4, hasMet: true),
        // A status between the shown ones has been deleted, or has come late.
        Row(shown: "dca", fetched: "edba", newer: [0, 2], older: 4..<4, hasMet: true),
        Row(shown: "dca", fetched: "edbaz", newer: [0, 2], older: 4..<5, hasMet: true),
        Row(shown: "dcba", fetched: "", newer: [], older: 0..<0, hasMet: false),
    ])
    func newStatusesAreTold(_ row: Row) {
        var news = TimelineNews<Int>(shown: Set(row.shown.map(String.init)))
        for (index, id) in row.fetched.map(String.init).enumerated() {
            if news.isShown(id) { news.meet() } else { news.add([index]) }
        }
        #expect(news.newer == row.newer && news.older == Array(row.older) && news.hasMet == row.hasMet, "\(row)")
    }

    @Test(arguments: [
        (TimelineName.home, "home"), (.account("ada"), "@ada"), (.tag("rust"), "tag:rust"), (.list("a"), "list:a"),
        (.list("it's"), #"'list:it'\''s'"#), (.list("a; b"), "'list:a; b'"),
    ])
    func commandCanBeTyped(_ name: TimelineName, _ argument: String) {
        #expect(name.command(before: "7") == "feedclient timeline \(argument) --before 7")
    }

    /// The id comes from a server, and the user may copy the line into a shell.
    @Test func idIsQuotedInACommand() {
        #expect(
            TimelineName.home.command(before: "1;curl${IFS}x|sh")
                == "feedclient timeline home --before '1;curl${IFS}x|sh'")
        #expect(TimelineName.favourites.command(before: "7") == "feedclient timeline favourites with a larger -n")
    }

    @Test(arguments: [(30, 2), (200, 1), (Int.max, 1)]) func gapKeepsTheCommandTogether(columns: Int, lines: Int) {
        let renderer = TimelineRenderer(
            renderer: StatusRenderer(columns: columns, style: TextStyle(hasColor: false), now: nil), timeline: .home)
        let shown = renderer.gap(below: "112233445566778899")
        #expect(shown.count == lines + 1 && shown.last == "")
        #expect(shown.contains { $0.hasSuffix("feedclient timeline home --before 112233445566778899") })
    }
}
