import FeedAPI
import FeedTerminal
import Testing

@testable import feedclient

/// The numbers of listed statuses.
@Suite struct StatusNumbersTests {
    @Test func eachStatusHasOneNumber() {
        let listed = StatusNumbers(terminal: "pts-1", server: "https://feed.example", username: nil)
        let statuses = ["7", "5", "7", "3"].map { id in StatusRendererTests.status("x") { $0.id = id } }
        #expect(statuses.map(listed.number) == [1, 2, 1, 3])
    }

    @Test func numberPrecedesTheCountsAndTheHint() {
        var renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: StatusRendererTests.now)
        renderer.number = { $0.id == "111" ? 12 : nil }
        let status = StatusRendererTests.status("hidden words") {
            $0.favourites_count = 3
            $0.spoiler_text = "cw"
        }
        let lines = renderer.lines(status)
        #expect(lines.suffix(3) == ["    (hidden; feedclient show 12)", "    12 · ★ 3 · iPhone · 111", ""])
        let other = StatusRendererTests.status("x") { $0.id = "222" }
        #expect(renderer.lines(other).contains("    iPhone · 222"))
        renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: true), now: nil)
        renderer.number = { _ in 1 }
        #expect(
            renderer.lines(other).contains("    \u{1B}[1m1\u{1B}[0m\u{1B}[2m · iPhone · 222\u{1B}[0m"))
    }
}
