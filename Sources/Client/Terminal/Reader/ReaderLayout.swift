/// Where the parts of the reader are on the screen.
package struct ReaderLayout: Equatable, Sendable {
    /// From this width on, the list and the detail are beside each other.
    package static let wideColumns = 100
    private static let minimumListColumns = 38

    package let columns: Int
    package let rows: Int
    package let list: CellArea
    package let detail: CellArea

    /// Whether a line divides the panes beside each other.
    var isWide: Bool { columns >= Self.wideColumns }

    /// The rows of an entry of the list.
    var entryRows: Int { list.rows < 4 ? 1 : 2 }

    /// The number of entries for which the list has room.
    var capacity: Int { max(1, list.rows / entryRows) }

    /// Everything between the first and the last row.
    var body: CellArea { CellArea(row: 1, column: 0, rows: max(0, rows - 2), columns: columns) }

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(1, columns), max(1, rows))
        let height = max(0, self.rows - 2)
        if self.columns >= Self.wideColumns {
            let width = max(Self.minimumListColumns, self.columns * 2 / 5)
            list = CellArea(row: 1, column: 0, rows: height, columns: width)
            detail = CellArea(row: 1, column: width + 3, rows: height, columns: self.columns - width - 3)
        } else {
            let above = height * 2 / 5 / 2 * 2
            list = CellArea(row: 1, column: 0, rows: above, columns: self.columns)
            detail = CellArea(row: above + 2, column: 0, rows: max(0, height - above - 1), columns: self.columns)
        }
    }

    /// The detail without the column of the mark at the selected entry.
    var text: CellArea {
        CellArea(row: detail.row, column: detail.column + 2, rows: detail.rows, columns: max(1, detail.columns - 2))
    }

    /// The maximum height of a picture in the detail, beside which some lines of text have room.
    var pictureRows: Int { max(1, min(16, detail.rows - 5)) }

    /// Where a picture is on the whole screen, above its description.
    var picture: CellArea {
        CellArea(row: 1, column: 0, rows: max(1, body.rows - Self.descriptionRows), columns: columns)
    }
    static let descriptionRows = 3

    /// Where a form is: instead of the detail, if there is room for it.
    var form: CellArea { detail.rows < 8 ? body : detail }
}
