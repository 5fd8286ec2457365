/// Draws the reader.
package struct ReaderScreen {
    private static let name = "feedclient"

    let state: ReaderState
    private let isASCII: Bool
    private var grid: ScreenBuffer

    private var layout: ReaderLayout { state.layout }

    /// - Parameters:
    ///   - isASCII: Whether only ASCII can be shown.
    ///   - hasColor: Whether colors are used.
    package static func cells(_ state: ReaderState, isASCII: Bool = false, hasColor: Bool = true) -> ScreenBuffer {
        let grid = ScreenBuffer(
            columns: state.layout.columns, rows: state.layout.rows, isASCII: isASCII, hasColor: hasColor)
        var screen = ReaderScreen(state: state, isASCII: isASCII, grid: grid)
        screen.draw()
        return screen.grid
    }

    private mutating func draw() {
        drawHeader()
        drawList()
        drawDivision()
        drawDetail()
        switch state.mode {
        case .reading, .prompt, .question, .opening: break
        case .help: drawOverlay("Keys", ReaderKeys.lines(columns: layout.columns - 5), selection: nil)
        case .picker(let picker): drawOverlay(picker.title, rows(of: picker), selection: picker.selection)
        case .writing(let form): grid.draw(form, in: layout.form)
        case .viewing(let gallery): grid.draw(gallery, layout, isLoading: state.showsPictures)
        }
        drawFooter()
    }

    // MARK: The first and the last row

    private mutating func drawHeader() {
        guard layout.rows > 1 else { return }
        grid.fill(CellArea(row: 0, column: 0, rows: 1, columns: layout.columns), style: .inverse)
        let count = state.list.unseen.count
        let news = count > 0 ? " (\(count) new above; n)" : ""
        let account = state.account.isEmpty ? "" : "@" + state.account
        let right = layout.columns - TextWidth.columns(of: SafeText.line(account)) - 1
        let end = grid.put(
            " " + state.source.title + news + place, row: 0, column: 0, end: layout.columns, style: .inverse)
        if end < right { grid.put(account, row: 0, column: right, end: layout.columns, style: .inverse) }
    }

    /// The place in a conversation, which may begin above what is visible.
    private var place: String {
        let count = state.detail.items.count
        return count > 1 ? " (\(state.detail.selection + 1) of \(count) in the conversation)" : ""
    }

    private mutating func drawFooter() {
        let row = layout.rows - 1
        grid.fill(CellArea(row: row, column: 0, rows: 1, columns: layout.columns))
        switch state.mode {
        case .prompt(let prompt, let input): draw(prompt.title, input, row)
        case .question(let text, _): put(text + " (y/n)", row, .bold)
        case .opening: put("Loading… (Esc cancels)", row, .bold)
        default:
            if let text = state.notice { return put(text, row, .bold) }
            if let reason = state.offline { return put("Offline: " + reason, row, .bold) }
            put(visibleHints, row, .dim)
        }
    }

    /// As many hints as there is room for.
    private var visibleHints: String {
        hints.reduce("") { text, hint in
            let longer = text.isEmpty ? hint : text + "  " + hint
            return TextWidth.columns(of: longer) <= layout.columns ? longer : text
        }
    }

    /// The most important keys come first.
    private var hints: [String] {
        switch state.mode {
        case .writing(let form):
            form.editing == nil
                ? ["^S send", "Esc cancel", "Tab next field", "^V visibility", "^O editor"]
                    + (form.media.isEmpty ? [] : ["^X remove file"])
                : ["^S save", "Esc cancel", "Tab next field", "^O editor"]
        case .picker(let picker):
            picker.isMultiple ? ["Space choose", "Enter done", "Esc cancel"] : ["Enter choose", "Esc cancel"]
        case .viewing: ["Esc back", "j k next, previous file", "o open in the browser"]
        case .help: ["any key"]
        default:
            [
                "? all keys", "q back", "j k move", "Enter open", "c compose", "r reply", "b boost", "f favourite",
                "m media",
            ]
        }
    }

    private mutating func put(_ text: String, _ row: Int, _ style: CellStyle) {
        grid.put(text, row: row, column: 0, end: layout.columns, style: style)
    }

    private mutating func draw(_ title: String, _ input: TextInput, _ row: Int) {
        let start = grid.put(title, row: row, column: 0, end: layout.columns, style: .bold)
        grid.setCursor(row, grid.put(input, row: row, column: start, end: layout.columns))
    }

    // MARK: The list

    private mutating func drawList() {
        let (list, area) = (state.list, layout.list)
        guard !area.isEmpty else { return }
        guard !list.items.isEmpty else {
            let lines = TextWrap.lines(SafeText.line(list.placeholder), columns: area.columns - 2)
            for (row, line) in lines.prefix(area.rows).enumerated() {
                grid.put(line, row: area.row + row, column: 2, end: area.columns, style: .dim)
            }
            return
        }
        for (line, index) in (list.top..<min(list.items.count, list.top + layout.capacity)).enumerated() {
            draw(list, index, row: area.row + line * layout.entryRows)
        }
    }

    private mutating func draw(_ list: ReaderList, _ index: Int, row: Int) {
        let (item, area) = (list.items[index], layout.list)
        let isSelected = index == list.selection
        let marks = item.marks
        let right = SafeText.line(marks + (marks.isEmpty ? "" : " ") + item.time)
        let width = TextWidth.columns(of: isASCII ? ASCIIText.from(right) : right)
        let start = area.column + 2
        if isSelected {
            for line in row..<row + layout.entryRows {
                grid.put("▌", row: line, column: area.column, end: start, style: .bold)
            }
        }
        grid.put(item.name, row: row, column: start, end: area.columns - width - 1, style: .bold)
        grid.put(right, row: row, column: max(start, area.columns - width), end: area.columns, style: .dim)
        if layout.entryRows > 1 {
            grid.put(item.excerpt, row: row + 1, column: start, end: area.columns)
        }
        guard isSelected, state.focus == .list else { return }
        for line in row..<row + layout.entryRows {
            grid.highlight(row: line, columns: start..<max(start, area.columns))
        }
    }

    // MARK: The detail

    private mutating func drawDivision() {
        if layout.isWide {
            for row in layout.body.row..<layout.body.row + layout.body.rows {
                grid.put("│", row: row, column: layout.list.columns + 1, end: layout.columns, style: .dim)
            }
        } else if layout.body.rows > 0 {
            let line = String(repeating: "─", count: layout.columns)
            grid.put(line, row: layout.detail.row - 1, column: 0, end: layout.columns, style: .dim)
        }
    }

    private mutating func drawDetail() {
        let (detail, area) = (state.detail, layout.text)
        guard !layout.detail.isEmpty, !detail.items.isEmpty else { return }
        var (row, index, skipped) = (area.row, detail.top, detail.offset)
        while row < area.row + area.rows, index < detail.items.count {
            let lines = detail.lines(index, area.columns)
            for line in lines.dropFirst(skipped).prefix(area.row + area.rows - row) {
                let isMarked = index == detail.selection && state.focus == .detail
                if isMarked { grid.put("▌", row: row, column: layout.detail.column, end: layout.columns, style: .bold) }
                grid.put(output: line, row: row, column: area.column, end: area.column + area.columns)
                row += 1
            }
            (index, skipped) = (index + 1, 0)
            if lines.isEmpty { row += 1 }
        }
    }

    // MARK: Above the panes

    private func rows(of picker: ReaderPicker) -> [String] {
        guard picker.isMultiple else { return picker.rows }
        return picker.rows.enumerated().map { (picker.chosen.contains($0) ? "[x] " : "[ ] ") + $1 }
    }

    private mutating func drawOverlay(_ title: String, _ lines: [String], selection: Int?) {
        let area = layout.body
        grid.fill(area)
        guard !area.isEmpty else { return }
        grid.put(title, row: area.row, column: 1, end: area.columns, style: .bold)
        let room = max(0, area.rows - 1)
        let first = max(0, (selection ?? 0) - room + 1)
        for (row, index) in (first..<max(first, min(lines.count, first + room))).enumerated() {
            let style = index == selection ? CellStyle.inverse : .plain
            let mark = index == selection ? "▌" : " "
            grid.put(mark + " " + lines[index], row: area.row + 1 + row, column: 1, end: area.columns, style: style)
        }
        if lines.isEmpty { grid.put("Nothing to choose from.", row: area.row + 1, column: 3, end: area.columns) }
    }
}

/// The layout of the reader on the screen.
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

    /// The place of a picture on the whole screen, above its description.
    var picture: CellArea {
        CellArea(row: 1, column: 0, rows: max(1, body.rows - Self.descriptionRows), columns: columns)
    }
    static let descriptionRows = 3

    /// The place of a form: instead of the detail, if there is room for it.
    var form: CellArea { detail.rows < 8 ? body : detail }
}
