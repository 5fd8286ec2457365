/// Draws the reader.
package struct ReaderScreen {
    private static let name = "feedclient"

    let state: ReaderState
    private let isASCII: Bool
    private var grid: CellGrid

    private var layout: ReaderLayout { state.layout }

    /// - Parameters:
    ///   - isASCII: Whether only ASCII can be shown.
    ///   - hasColor: Whether colors are used.
    package static func cells(_ state: ReaderState, isASCII: Bool = false, hasColor: Bool = true) -> CellGrid {
        let grid = CellGrid(
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
        case .reading, .prompt, .question: break
        case .help: drawOverlay("Keys", ReaderHelp.lines, selection: nil)
        case .picker(let picker): drawOverlay(picker.title, rows(of: picker), selection: picker.selection)
        case .writing(let form): draw(form)
        }
        drawFooter()
    }

    // MARK: The first and the last row

    private mutating func drawHeader() {
        guard layout.rows > 1 else { return }
        grid.fill(CellArea(row: 0, column: 0, rows: 1, columns: layout.columns), style: .inverse)
        let count = state.feed.unseen.count
        let news = count > 0 ? " (\(count) new above; n)" : ""
        let account = state.account.isEmpty ? "" : "@" + state.account
        let right = layout.columns - DisplayWidth.columns(of: SafeText.line(account)) - 1
        let end = grid.put(" " + state.source.title + news, row: 0, column: 0, end: layout.columns, style: .inverse)
        if end < right { grid.put(account, row: 0, column: right, end: layout.columns, style: .inverse) }
    }

    private mutating func drawFooter() {
        let row = layout.rows - 1
        grid.fill(CellArea(row: row, column: 0, rows: 1, columns: layout.columns))
        switch state.mode {
        case .prompt(let prompt, let input): draw(prompt.title, input, row)
        case .question(let text, _): put(text + " (y/n)", row, .bold)
        default:
            if let text = state.notice { return put(text, row, .bold) }
            if let reason = state.offline { return put("Offline: " + reason, row, .bold) }
            put(hint, row, .dim)
        }
    }

    private var hint: String {
        switch state.mode {
        case .writing: "^S send  ^V visibility  Tab next field  ^O editor  Esc cancel"
        case .picker(let picker):
            picker.isMultiple ? "Space choose  Enter done  Esc cancel" : "Enter choose  Esc cancel"
        case .help: "any key"
        default: "j k move  Enter open  r reply  b boost  f favourite  c compose  ? all keys  q quit"
        }
    }

    private mutating func put(_ text: String, _ row: Int, _ style: CellStyle) {
        grid.put(text, row: row, column: 0, end: layout.columns, style: style)
    }

    /// The end of the text stays visible, where the cursor is.
    private mutating func draw(_ title: String, _ input: TextInput, _ row: Int) {
        let start = grid.put(title, row: row, column: 0, end: layout.columns, style: .bold)
        var before = input.before
        while !before.isEmpty, start + DisplayWidth.columns(of: SafeText.line(before)) >= layout.columns {
            before.removeFirst()
        }
        let cursor = grid.put(before, row: row, column: start, end: layout.columns)
        grid.put(input.after, row: row, column: cursor, end: layout.columns)
        setCursor(row, cursor)
    }

    private mutating func setCursor(_ row: Int, _ column: Int) {
        grid.cursor = (max(0, min(row, layout.rows - 1)), max(0, min(column, layout.columns - 1)))
    }

    // MARK: The list

    private mutating func drawList() {
        let (feed, area) = (state.feed, layout.list)
        guard !area.isEmpty else { return }
        guard !feed.items.isEmpty else {
            grid.put(
                feed.isLoaded ? "Nothing here." : "Loading…", row: area.row, column: 2, end: area.columns, style: .dim)
            return
        }
        for (line, index) in (feed.top..<min(feed.items.count, feed.top + layout.capacity)).enumerated() {
            draw(feed, index, row: area.row + line * layout.entryRows)
        }
    }

    private mutating func draw(_ feed: ReaderFeed, _ index: Int, row: Int) {
        let (item, area) = (feed.items[index], layout.list)
        let isSelected = index == feed.selection
        let marks = ReaderReaction.allCases.filter(item.reactions.contains).map(\.mark).joined()
        let right = SafeText.line(marks + (marks.isEmpty ? "" : " ") + item.time)
        let width = DisplayWidth.columns(of: isASCII ? ASCIIText.from(right) : right)
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
            let lines = detail.items[index].lines(area.columns)
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

    private mutating func draw(_ form: ReaderForm) {
        let area = layout.form
        grid.fill(area)
        guard !area.isEmpty else { return }
        let title = form.editing != nil ? "Edit" : form.replyTo != nil ? "Reply" : "New status"
        let counted = title + "  " + form.visibility + "  \(form.length)/\(form.limit)"
        let end = area.column + area.columns
        grid.put(counted, row: area.row, column: area.column + 1, end: end, style: .bold)
        let fields = ReaderForm.Field.allCases.dropFirst()
        let room = max(1, area.rows - 1 - fields.count - form.media.count)
        draw(
            form.text, CellArea(row: area.row + 1, column: area.column + 1, rows: room, columns: area.columns - 1),
            isActive: form.field == .text)
        var row = area.row + 1 + room
        for media in form.media where row < area.row + area.rows {
            let text = media.path + (media.description.isEmpty ? "" : ": " + media.description)
            grid.put("▣ " + text, row: row, column: area.column + 1, end: end)
            row += 1
        }
        for field in fields where row < area.row + area.rows {
            draw(form[field], field.title, row, area, isActive: form.field == field)
            row += 1
        }
    }

    private mutating func draw(_ input: TextInput, _ area: CellArea, isActive: Bool) {
        let (lines, row, column) = input.layout(columns: area.columns)
        let first = max(0, row - area.rows + 1)
        for (place, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
            grid.put(line, row: area.row + place, column: area.column, end: area.column + area.columns)
        }
        if isActive { setCursor(area.row + row - first, area.column + column) }
    }

    private mutating func draw(_ input: TextInput, _ title: String, _ row: Int, _ area: CellArea, isActive: Bool) {
        let end = area.column + area.columns
        let start = grid.put(title + ": ", row: row, column: area.column + 1, end: end, style: .dim)
        let cursor = grid.put(input.before, row: row, column: start, end: end)
        grid.put(input.after, row: row, column: cursor, end: end)
        if isActive { setCursor(row, cursor) }
    }
}

/// The keys of the reader.
enum ReaderHelp {
    static let lines = [
        "j k, arrows    down, up                 r    reply",
        "g G            first, last              b    boost, or undo",
        "Space, PgDn    a page down              f    favourite, or undo",
        "Ctrl-D Ctrl-U  half a page              B    bookmark, or undo",
        "Enter          the conversation         v    vote",
        "Tab            the other pane           o    open in the browser",
        "Esc, q         back                     m    media",
        "n              the oldest new entry     u    profile of the author",
        "R              ask the server           c    compose",
        "/ # @          search, hashtag, profile e    edit your status",
        "1 to 8         home, local, public, …   d    delete your status",
        "L              all lists and hashtags   A    another login",
        "Ctrl-L         draw again               q    quit (Ctrl-C at once)",
    ]
}
