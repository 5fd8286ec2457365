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
