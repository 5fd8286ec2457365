/// A screen of cells. Whatever text is put into it, its cells hold only visible characters that lie within the screen, so
/// that no text can move the cursor or change colors.
package struct ScreenBuffer: Equatable, Sendable {
    /// A longer character, such as a letter with a hundred accents, is shortened.
    private static let maximumScalars = 16

    package let columns: Int
    package let rows: Int
    private let isASCII: Bool
    private let hasColor: Bool
    private var cells: [Cell]
    /// The position of the cursor; `nil` for no cursor.
    package var cursor: (row: Int, column: Int)? {
        get { cursorRow.map { ($0, cursorColumn) } }
        set { (cursorRow, cursorColumn) = (newValue?.row, newValue?.column ?? 0) }
    }
    private var cursorRow: Int?
    private var cursorColumn = 0

    package init(columns: Int, rows: Int, isASCII: Bool = false, hasColor: Bool = true) {
        (self.columns, self.rows) = (max(1, columns), max(1, rows))
        (self.isASCII, self.hasColor) = (isASCII, hasColor)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    package subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

    /// The characters of a row, without spaces at its end.
    package func text(ofRow row: Int) -> String {
        let visible = (0..<columns).map { self[row, $0] }.filter { $0.width > 0 }
        return LineBuilder.trimmed(String(visible.map(\.text)))
    }

    /// Writes text on a row, as far as it fits.
    /// - Parameters:
    ///   - text: Any text; it is filtered by ``SafeText``.
    ///   - end: The column that ends the space for the text.
    /// - Returns: The column after the text.
    @discardableResult package mutating func put(
        _ text: some StringProtocol, row: Int, column: Int, end: Int, style: CellStyle = .plain
    ) -> Int {
        guard (0..<rows).contains(row), column >= 0 else { return column }
        let (style, end) = (hasColor ? style : style.withoutColor, min(end, columns))
        var column = column
        for character in encoded(SafeText.line(text)) {
            let character = Self.shortened(character)
            let width = TextWidth.columns(ofCharacter: character)
            guard width > 0 else { continue }
            guard column + width <= end else { break }
            set(Cell(text: character, width: width, style: style), row, column)
            column += width
        }
        return column
    }

    /// Writes a line of output, whose only escape sequences are those of colors; all others are left out.
    @discardableResult package mutating func put(
        output line: String, row: Int, column: Int, end: Int, style: CellStyle = .plain
    ) -> Int {
        StyledText.runs(of: line, base: style).reduce(column) { column, run in
            put(run.text, row: row, column: column, end: end, style: run.style)
        }
    }

    /// Makes a part of the screen blank.
    package mutating func fill(_ area: CellArea, style: CellStyle = .plain) {
        for row in max(0, area.row)..<max(0, area.row, min(rows, area.row + area.rows)) {
            for column in max(0, area.column)..<max(0, area.column, min(columns, area.column + area.columns)) {
                set(Cell(text: " ", width: 1, style: style), row, column)
            }
        }
    }

    /// Changes the style of cells, but not their characters.
    mutating func highlight(row: Int, columns: Range<Int>) {
        guard (0..<rows).contains(row) else { return }
        for column in columns.clamped(to: 0..<self.columns) {
            cells[row * self.columns + column].style.isInverse = true
            // Dim text on an inverse background would be a box of another color.
            cells[row * self.columns + column].style.isDim = false
        }
    }

    private func encoded(_ text: String) -> String { isASCII ? ASCIIText.from(text) : text }

    private static func shortened(_ character: Character) -> Character {
        let scalars = character.unicodeScalars
        guard scalars.count > maximumScalars else { return character }
        // The first scalars of a character are a character, too.
        return String(String.UnicodeScalarView(scalars.prefix(maximumScalars))).first ?? " "
    }

    private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
        for column in column..<column + cell.width { erase(row, column) }
        cells[row * columns + column] = cell
        for column in column + 1..<max(column + 1, column + cell.width) {
            cells[row * columns + column] = Cell(text: " ", width: 0, style: cell.style)
        }
    }

    /// Erases a character as a whole, of which the cell may be any column.
    private mutating func erase(_ row: Int, _ column: Int) {
        var first = column
        while first > 0, self[row, first].width == 0 { first -= 1 }
        let width = max(1, self[row, first].width)
        for column in first..<first + width { cells[row * columns + column] = .blank }
    }

    package static func == (left: ScreenBuffer, right: ScreenBuffer) -> Bool {
        left.columns == right.columns && left.cells == right.cells && left.cursorRow == right.cursorRow
            && left.cursorColumn == right.cursorColumn
    }
}

/// A color of a terminal.
package enum CellColor: Equatable, Sendable {
    case standard
    /// A color of the 256-color palette.
    case indexed(UInt8)
    case rgb(UInt8, UInt8, UInt8)
}

/// The look of a cell.
package struct CellStyle: Equatable, Sendable {
    package var isBold = false
    package var isDim = false
    package var isUnderlined = false
    package var isInverse = false
    package var foreground = CellColor.standard
    package var background = CellColor.standard

    package static let plain = CellStyle()
    package static let bold = CellStyle(isBold: true)
    package static let dim = CellStyle(isDim: true)
    package static let inverse = CellStyle(isInverse: true)

    var withoutColor: CellStyle {
        CellStyle(isBold: isBold, isDim: isDim, isUnderlined: isUnderlined, isInverse: isInverse)
    }
}

/// A place on the screen. A character that takes several columns is in the first of them; the others are its continuation.
package struct Cell: Equatable, Sendable {
    static let blank = Cell(text: " ", width: 1, style: .plain)

    package let text: Character
    /// The number of columns of the character; 0 for a continuation.
    package let width: Int
    package var style: CellStyle
}

/// A part of the screen.
package struct CellArea: Equatable, Sendable {
    package var row = 0
    package var column = 0
    package var rows = 0
    package var columns = 0

    var isEmpty: Bool { rows <= 0 || columns <= 0 }
}
