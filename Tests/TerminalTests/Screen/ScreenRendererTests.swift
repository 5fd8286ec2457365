import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct ScreenRendererTests {
    private let output = ScreenRenderer(isSynchronized: false)

    private func grid(_ rows: String...) -> ScreenBuffer {
        var grid = ScreenBuffer(columns: 12, rows: rows.count)
        for (row, text) in rows.enumerated() { grid.put(text, row: row, column: 0, end: 12) }
        return grid
    }

    @Test func equalScreensNeedNoOutput() { #expect(output.text(from: grid("abc"), to: grid("abc")) == "") }

    @Test func onlyChangedCellsAreWritten() {
        #expect(
            output.text(from: grid("abcdef", "same"), to: grid("abXYef", "same"))
                == "\u{1B}[?25l\u{1B}[1;3HXY")
    }

    @Test func anUnknownScreenIsClearedFirst() {
        #expect(output.text(from: nil, to: grid("a")) == "\u{1B}[?25l\u{1B}[0m\u{1B}[2J\u{1B}[1;1Ha")
        #expect(output.text(from: ScreenBuffer(columns: 3, rows: 1), to: grid("a")).contains("\u{1B}[2J"))
    }

    @Test func whatFollowsAWideCharacterIsPlacedAnew() {
        #expect(output.text(from: grid(""), to: grid("中a")) == "\u{1B}[?25l\u{1B}[1;1H中\u{1B}[1;3Ha")
    }

    @Test func knownTerminalsShowTheChangeAtOnce() {
        let text = ScreenRenderer(isSynchronized: true).text(from: grid("a"), to: grid("b"))
        #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
        #expect(ScreenRenderer.isSynchronized(["TERM": "xterm-kitty"]))
        #expect(ScreenRenderer.isSynchronized(["TERM_PROGRAM": "tmux", "TERM": "tmux-256color"]))
        #expect(!ScreenRenderer.isSynchronized(["TERM": "xterm"]))
    }

    @Test func stylesEndWithTheOutput() {
        var new = grid("a")
        new.put("b", row: 0, column: 0, end: 12, style: .bold)
        #expect(output.text(from: grid("a"), to: new) == "\u{1B}[?25l\u{1B}[1;1H\u{1B}[0;1mb\u{1B}[0m")
    }

    @Test func anySequenceOfScreensArrives() {
        var (random, screen, old) = (SplitMix64(seed: 47), OutputScreen(columns: 12, rows: 4), ScreenBuffer?.none)
        for _ in 0..<500 {
            var new = old ?? ScreenBuffer(columns: 12, rows: 4)
            for _ in 0..<3 {
                let text = ReaderFixture.hostile.randomElement(using: &random) ?? ""
                let (row, column) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<12, using: &random))
                new.put(text, row: row, column: column, end: 12)
            }
            screen.write(output.text(from: old, to: new))
            #expect(screen.isValid && screen.shows(new))
            old = new
        }
    }
}
