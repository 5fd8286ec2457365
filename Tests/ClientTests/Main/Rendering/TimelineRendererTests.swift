import FeedAPI
import FeedClientKit
import FeedTerminal
import Testing

@testable import feedclient

/// The lines between the statuses of a timeline.
@Suite struct TimelineRendererTests {
    private static var renderer: TimelineRenderer {
        TimelineRenderer(
            renderer: StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: nil), timeline: .home)
    }

    /// The texts of the statuses, of the line between new and read ones (`-`), and of gaps (`…`), in order.
    private static func shown(_ lines: [String]) -> String {
        lines.compactMap { line -> String? in
            if line == "── already read ──" { return "-" }
            if line.hasPrefix("… older statuses") { return "…" }
            return line.wholeMatch(of: /\ +text (\w)/).map { String($0.1) }
        }.joined()
    }

    private static func entries(_ ids: String, gapsBelow gaps: String = "") -> [StoredTimeline.Entry] {
        ids.map { id in
            let status = StatusRendererTests.status("text \(id)") { $0.id = String(id) }
            return StoredTimeline.Entry(TimelineEntry(status: status, json: []), hasGap: gaps.contains(id))
        }
    }

    /// Each character is an id; a later letter is newer. A space separates what is printed together.
    @Test(arguments: [
        ("dcba", "b", "", "dc-ba"), ("dc ba", "b", "", "dc-ba"), ("dcb a", "b", "", "dc-ba"),
        // The read status itself has been deleted.
        ("edba", "c", "", "ed-ba"), ("dcba", "d", "", "dcba"), ("dcba", "z", "", "dcba"), ("dcba", "", "", "dcba"),
        ("zyx", "b", "", "zyx"), ("dc ba", "b", "c", "dc…-ba"), ("dcba", "b", "cb", "dc…-b…a"), ("", "b", "", ""),
    ])
    func lineSeparatesNewStatusesFromReadOnes(ids: String, mark: String, gaps: String, shown: String) {
        var printed = PrintedTimeline(readMark: StatusKey(mark))
        let lines = ids.split(separator: " ").flatMap { part in
            Self.renderer.lines(Self.entries(String(part), gapsBelow: gaps), after: &printed)
        }
        #expect(Self.shown(lines) == shown)
    }

    /// A boost that is new names its booster above the line, and the boosted status is not repeated below it.
    @Test func boostOfAReadStatusIsNew() {
        let old = StatusRendererTests.status("text b") { $0.id = "b" }
        let boost = StatusRendererTests.status("") {
            $0.id = "d"
            $0.reblog = Entity.Indirect(old)
        }
        let entries = [boost, old].map { StoredTimeline.Entry(TimelineEntry(status: $0, json: [])) }
        var printed = PrintedTimeline(readMark: StatusKey("b"))
        #expect(Self.shown(Self.renderer.lines(entries + Self.entries("a"), after: &printed)) == "b-a")
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
