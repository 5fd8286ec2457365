/// A status that is being written.
package struct ReaderForm: Equatable, Sendable {
    /// A file to attach.
    package struct Media: Equatable, Sendable {
        package let path: String
        /// The description for people who do not see it.
        package let description: String
    }

    package enum Field: CaseIterable, Sendable {
        case text, warning, file, description

        var title: String {
            switch self {
            case .text: "Text"
            case .warning: "Warning"
            case .file: "File"
            case .description: "Description"
            }
        }
    }

    package static let visibilities = ["public", "unlisted", "private", "direct"]
    /// The columns that a link counts as, as servers with the Mastodon API say.
    private static let linkLength = 23

    /// The status that is answered, or edited; both `nil` for a new status.
    package var replyTo: String?
    package var editing: String?
    package var text: TextInput
    package var warning: TextInput
    /// Empty for the default of the server.
    package var visibility: String
    package private(set) var media: [Media] = []
    package private(set) var field = Field.text
    /// The maximum number of characters.
    package var limit = 500
    private var file = TextInput()
    private var description = TextInput()
    /// The text at the start, which need not be kept.
    private let original: [String]

    package init(
        text: String = "", warning: String = "", visibility: String = "", replyTo: String? = nil,
        editing: String? = nil
    ) {
        (self.text, self.warning, self.visibility) = (TextInput(text), TextInput(warning), visibility)
        (self.replyTo, self.editing, original) = (replyTo, editing, [text, warning])
    }

    /// Whether something would be lost.
    var isChanged: Bool { [text.text, warning.text] != original || !media.isEmpty || !file.isEmpty }

    /// An edit leaves visibility and media as they are.
    var fields: [Field] { editing == nil ? Field.allCases : [.text, .warning] }

    /// With the file whose path has been entered last.
    var complete: ReaderForm {
        var form = self
        if !file.isEmpty { form.attachFile() }
        return form
    }

    /// The number of characters, as servers count: each address as 23, and a mention without its server.
    package var length: Int {
        text.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).reduce(-1) {
            $0 + 1 + Self.length(of: Substring($1))
        } + warning.text.count
    }

    var isTooLong: Bool { length > limit }
    package var canBeSent: Bool { !isTooLong && (!media.isEmpty || text.text.contains { !$0.isWhitespace }) }

    private static func length(of line: Substring) -> Int {
        TextLink.all(in: line).reduce(line.count) { total, link in
            let text = line[link.range]
            switch link.kind {
            case .address: return total - text.count + linkLength
            case .mention: return total - text.count + 1 + text.dropFirst().prefix { $0 != "@" }.count
            case .hashtag, .word: return total
            }
        }
    }

    /// The text of a field.
    package subscript(field: Field) -> TextInput {
        get {
            switch field {
            case .text: text
            case .warning: warning
            case .file: file
            case .description: description
            }
        }
        set {
            switch field {
            case .text: text = newValue
            case .warning: warning = newValue
            case .file: file = newValue
            case .description: description = newValue
            }
        }
    }

    mutating func take(_ key: Key) {
        switch key {
        case .tab,
            .down where field != .text:
            step(1)
        case .backTab,
            .up where field != .text:
            step(-1)
        case .control("v"): if editing == nil { nextVisibility() }
        case .control("x"): _ = media.popLast()
        case .enter where field != .text: attach()
        default: _ = self[field].take(key, isBlock: field == .text)
        }
    }

    private mutating func step(_ count: Int) {
        let index = fields.firstIndex(of: field) ?? 0
        field = fields[(index + count + fields.count) % fields.count]
    }

    private mutating func nextVisibility() {
        let index = Self.visibilities.firstIndex(of: visibility) ?? -1
        visibility = Self.visibilities[(index + 1) % Self.visibilities.count]
    }

    /// Enter adds the file with its description. Without a file, it leads to the next field.
    private mutating func attach() {
        guard !file.isEmpty, field == .description else { return step(1) }
        attachFile()
    }

    private mutating func attachFile() {
        media.append(Media(path: file.text, description: description.text))
        (file, description, field) = (TextInput(), TextInput(), .text)
    }
}

extension ScreenBuffer {
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
