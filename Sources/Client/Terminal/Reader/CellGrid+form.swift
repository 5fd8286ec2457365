extension CellGrid {
    /// Draws a form.
    mutating func draw(_ form: ReaderForm, in area: CellArea) {
        fill(area)
        guard !area.isEmpty else { return }
        let end = area.column + area.columns
        put(form.title, row: area.row, column: area.column + 1, end: end, style: .bold)
        let fields = form.fields.dropFirst()
        let room = max(1, area.rows - 1 - fields.count - form.media.count)
        draw(
            form.text, CellArea(row: area.row + 1, column: area.column + 1, rows: room, columns: area.columns - 1),
            isActive: form.field == .text)
        var row = area.row + 1 + room
        for media in form.media where row < area.row + area.rows {
            let text = media.path + (media.description.isEmpty ? "" : ": " + media.description)
            put("▣ " + text, row: row, column: area.column + 1, end: end)
            row += 1
        }
        for field in fields where row < area.row + area.rows {
            draw(form[field], field.title, row, area, isActive: form.field == field)
            row += 1
        }
    }

    /// Shows the cursor, within the screen.
    mutating func setCursor(_ row: Int, _ column: Int) {
        cursor = (max(0, min(row, rows - 1)), max(0, min(column, columns - 1)))
    }

    private mutating func draw(_ input: TextInput, _ area: CellArea, isActive: Bool) {
        let (lines, row, column) = input.layout(columns: area.columns)
        let first = max(0, row - area.rows + 1)
        for (place, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
            put(line, row: area.row + place, column: area.column, end: area.column + area.columns)
        }
        if isActive { setCursor(area.row + row - first, area.column + column) }
    }

    private mutating func draw(_ input: TextInput, _ title: String, _ row: Int, _ area: CellArea, isActive: Bool) {
        let end = area.column + area.columns
        let start = put(title + ": ", row: row, column: area.column + 1, end: end, style: .dim)
        let cursor = put(input, row: row, column: start, end: end)
        if isActive { setCursor(row, cursor) }
    }

    /// Writes a text that is being typed on a row. Where the cursor is stays visible.
    /// - Returns: The column of the cursor.
    mutating func put(_ input: TextInput, row: Int, column: Int, end: Int) -> Int {
        let cursor = put(input.before(fitting: end - column - 1), row: row, column: column, end: end)
        put(input.after, row: row, column: cursor, end: end)
        return cursor
    }
}

extension ReaderForm {
    /// The purpose, visibility and length of the text.
    fileprivate var title: String {
        let purpose = editing != nil ? "Edit" : replyTo != nil ? "Reply" : "New status"
        let audience = editing != nil ? nil : visibility.isEmpty ? "default" : visibility
        return [purpose, audience, "\(length)/\(limit)"].compactMap(\.self).joined(separator: "  ")
    }
}
