/// Writes the difference between two screens.
package struct ScreenRenderer {
    /// Whether the terminal shows what is between two marks at once (mode 2026).
    package let isSynchronized: Bool

    package init(isSynchronized: Bool) { self.isSynchronized = isSynchronized }

    /// Terminals that are known to show a screen at once. Others ignore the mode, but may print it.
    /// - Parameter environment: The variables by which terminals make themselves known.
    package static func isSynchronized(_ environment: [String: String]) -> Bool {
        let types = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"]
        if let type = environment["TERM"], types.contains(where: type.hasPrefix) { return true }
        let programs: Set = ["iTerm.app", "WezTerm", "ghostty", "vscode", "tmux", "rio"]
        return environment["TERM_PROGRAM"].map(programs.contains) ?? false
    }

    /// The sequences that change a screen into another one; empty if they are equal.
    /// - Parameter old: What the terminal shows; `nil` if that is unknown, or has another size.
    package func text(from old: ScreenBuffer?, to new: ScreenBuffer) -> String {
        let old = old.flatMap { $0.columns == new.columns && $0.rows == new.rows ? $0 : nil }
        guard old != new else { return "" }
        var writer = Writer()
        if old == nil { writer.text += "\u{1B}[0m\u{1B}[2J" }
        let blank = ScreenBuffer(columns: new.columns, rows: new.rows)
        for row in 0..<new.rows { writer.write(row, from: old ?? blank, to: new) }
        let cursor = new.cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? ""
        let body = "\u{1B}[?25l" + writer.text + (writer.style == .plain ? "" : "\u{1B}[0m") + cursor
        return isSynchronized ? "\u{1B}[?2026h" + body + "\u{1B}[?2026l" : body
    }

    private struct Writer {
        var text = ""
        var style = CellStyle.plain
        /// The position at which the terminal writes next; `nil` if that is not certain.
        private var position: (row: Int, column: Int)?

        mutating func write(_ row: Int, from old: ScreenBuffer, to new: ScreenBuffer) {
            var column = 0
            while column < new.columns {
                let cell = new[row, column]
                let end = column + max(1, cell.width)
                if (column..<end).contains(where: { old[row, $0] != new[row, $0] }) { write(cell, row, column, end) }
                column = end
            }
            // The cursor waits in the last column, or is on the next row.
            position = nil
        }

        private mutating func write(_ cell: Cell, _ row: Int, _ column: Int, _ end: Int) {
            if position?.row != row || position?.column != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
            if cell.style != style { text += cell.style.sequence }
            style = cell.style
            text.append(cell.text)
            // Terminals disagree about the widths of other characters, which must not move what follows them.
            position = cell.text.isASCII || cell.isSimple ? (row, end) : nil
        }
    }
}

extension Cell {
    /// Whether every terminal gives the character one column.
    fileprivate var isSimple: Bool {
        guard width == 1, let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return false }
        return scalar.value < 0x300 || (0x2500...0x259F).contains(scalar.value)
    }
}

extension CellStyle {
    /// The sequence that selects exactly this style (SGR, ECMA-48).
    fileprivate var sequence: String {
        let flags = [(isBold, 1), (isDim, 2), (isUnderlined, 4), (isInverse, 7)].filter(\.0).map { String($0.1) }
        let codes = ["0"] + flags + foreground.codes(30) + background.codes(40)
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}

extension CellColor {
    /// - Parameter base: 30 for the text, 40 for the background.
    fileprivate func codes(_ base: Int) -> [String] {
        switch self {
        case .standard: []
        case .indexed(let index) where index < 8: ["\(base + Int(index))"]
        case .indexed(let index): ["\(base + 8)", "5", "\(index)"]
        case .rgb(let red, let green, let blue): ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
        }
    }
}
