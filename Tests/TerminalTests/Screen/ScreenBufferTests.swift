import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct ScreenBufferTests {
    @Test(arguments: ReaderFixture.hostile)
    func cellsHoldOnlyVisibleCharacters(text: String) {
        var grid = ScreenBuffer(columns: 30, rows: 2)
        let end = grid.put(text, row: 0, column: 3, end: 20)
        #expect(end <= 20)
        for column in 0..<30 {
            let cell = grid[0, column]
            #expect(cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
            #expect(cell.text.unicodeScalars.count <= 16)
            #expect(cell.style == .plain)
            #expect(column >= 3 && column < 20 || cell == .blank)
        }
        #expect(grid.text(ofRow: 1) == "")
    }

    @Test func wideCharactersOccupyTheirColumns() {
        var grid = ScreenBuffer(columns: 6, rows: 1)
        #expect(grid.put("中a文b", row: 0, column: 0, end: 6) == 6)
        #expect((0..<6).map { grid[0, $0].width } == [2, 0, 1, 2, 0, 1])
        #expect(grid.put("中文字", row: 0, column: 0, end: 5) == 4)
    }

    @Test func overwritingHalfOfACharacterErasesAllOfIt() {
        var grid = ScreenBuffer(columns: 5, rows: 1)
        grid.put("中文", row: 0, column: 0, end: 5)
        grid.put("x", row: 0, column: 1, end: 5)
        #expect((0..<5).map { grid[0, $0].text } == [" ", "x", "文", " ", " "])
        grid.put("y", row: 0, column: 2, end: 5)
        #expect(grid[0, 3] == .blank)
    }

    @Test func colorsOfOutputBecomeStyles() {
        var grid = ScreenBuffer(columns: 20, rows: 1)
        grid.put(
            output: "\u{1B}[1ma\u{1B}[0mb\u{1B}[38;5;231;48;2;1;2;3mc\u{1B}]8;;https://x.example\u{1B}\\d\u{1B}[2Je",
            row: 0, column: 0, end: 20)
        #expect(grid.text(ofRow: 0) == "abcde")
        #expect(grid[0, 0].style == .bold && grid[0, 1].style == .plain)
        let colored = CellStyle(foreground: .indexed(231), background: .rgb(1, 2, 3))
        #expect(grid[0, 2].style == colored && grid[0, 4].style == colored)
    }

    @Test func withoutColorsOnlyTheirShapeRemains() {
        var grid = ScreenBuffer(columns: 5, rows: 1, hasColor: false)
        grid.put(output: "\u{1B}[1;31ma", row: 0, column: 0, end: 5)
        #expect(grid[0, 0].style == .bold)
    }

    @Test func asciiReplacesMarks() {
        var grid = ScreenBuffer(columns: 20, rows: 1, isASCII: true)
        grid.put("▌ Zoë… 中", row: 0, column: 0, end: 20)
        #expect(grid.text(ofRow: 0) == "> Zoe... ?")
    }
}

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
