import Foundation
import TestKit

@testable import FeedTerminal

/// Entries and states of the reader.
enum ReaderFixture {
    /// Texts that would do harm, or are hard to measure.
    static let hostile = [
        "\u{1B}[2J\u{1B}[31mred", "\u{9B}1;1Hhome", "a\u{202E}txt.exe", "\u{1B}]0;title\u{7}", "line\nbreak\r\u{2028}",
        String(repeating: "e\u{301}\u{302}\u{303}", count: 20) + String(repeating: "\u{301}", count: 200),
        "👩‍👩‍👧🏽🇩🇪❤️", "中文字符，测试。", "مرحبا بالعالم", "தமிழ் ភាសាខ្មែរ क्ष", "\u{200B}\u{FEFF}\u{300}", "\t\0\u{7F}\u{85}",
        "", String(repeating: "word ", count: 60), String(repeating: "x", count: 400),
    ]

    static func item(_ id: String, name: String = "Ada", text: String = "") -> ReaderItem {
        let text = text.isEmpty ? "Text of \(id)" : text
        var item = ReaderItem(id: id) { columns, pictures in
            ["\u{1B}[1m" + SafeText.line(name) + "\u{1B}[0m"] + TextWrap.lines(SafeText.block(text), columns: columns)
                + (pictures["preview " + id] ?? []) + [""]
        }
        (item.statusID, item.name, item.excerpt, item.time) = ("s" + id, name, text, "3m")
        (item.handle, item.url) = ("ada", "https://feed.example/@ada/" + id)
        return item
    }

    /// An entry with files, of which the first has a picture.
    static func illustrated(_ id: String, description: String = "A cat") -> ReaderItem {
        var item = item(id)
        item.previews = ["preview " + id]
        item.media = [
            ReaderMedia(
                title: "image", description: description, address: "https://feed.example/cat.png",
                preview: "preview " + id), ReaderMedia(title: "audio", description: ""),
        ]
        return item
    }

    static func items(_ ids: some Sequence<Int>) -> [ReaderItem] { ids.map { item("\($0)") } }

    /// A state that shows entries, the newest first.
    static func state(
        _ items: [ReaderItem], columns: Int = 80, rows: Int = 24, showsPictures: Bool = false
    ) -> ReaderState {
        var state = ReaderState(columns: columns, rows: rows, account: "ada", showsPictures: showsPictures)
        _ = state.start()
        _ = state.update(.loaded(.home, items))
        return state
    }

    /// The state for golden screens: several scripts, a reaction, a poll, and a new entry above.
    static func timeline(columns: Int, rows: Int) -> ReaderState {
        let texts = [
            ("Ada Lovelace", "The engine weaves algebraic patterns just as the loom weaves flowers and leaves."),
            ("李清照", "昨夜雨疏风骤，浓睡不消残酒。试问卷帘人，却道海棠依旧。"),
            ("Zoë 👩‍👩‍👧 Åström", "See https://feed.example/@ada/1 and #tea, @bob@other.example."),
            ("\u{1B}[31mMallory\u{202E}", "One line\nand another\u{1B}[2J, with\u{7} bells"),
            ("فاطمة", "السلام عليكم"), ("Grace", "A poll: which one?"),
        ]
        var items = texts.enumerated().map { item("\(90 - $0)", name: $1.0, text: $1.1) }
        items[0].reactions = [.favourite, .bookmark]
        items[5].poll = ReaderPoll(options: ["Tea", "Coffee"], isMultiple: true)
        var state = state(items, columns: columns, rows: rows)
        _ = state.update(.key(.character("j")))
        _ = state.update(.arrived(.home, [item("91", name: "Newcomer", text: "Hello")]))
        return state
    }

    /// The rows of a screen.
    static func text(_ state: ReaderState, isASCII: Bool = false) -> String {
        let grid = ReaderScreen.cells(state, isASCII: isASCII)
        return (0..<grid.rows).map { grid.text(ofRow: $0) + "\n" }.joined()
    }
}

extension ReaderState {
    /// Applies keys one after the other.
    @discardableResult mutating func type(_ keys: String) -> [ReaderEffect] {
        keys.flatMap { update(.key(.character($0))) }
    }

    @discardableResult mutating func press(_ keys: Key...) -> [ReaderEffect] { keys.flatMap { update(.key($0)) } }
}

/// A terminal that understands what ``ScreenRenderer`` writes.
struct OutputScreen {
    let columns: Int
    private(set) var rows: [[Character?]]
    private var row = 0
    private var column = 0
    /// The number of characters that have been written.
    private(set) var written = 0
    /// Whether only the expected sequences came, all within the screen.
    private(set) var isValid = true

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    mutating func write(_ output: String) {
        var rest = Substring(output)
        while let next = rest.first {
            guard next == "\u{1B}" else {
                put(next)
                rest = rest.dropFirst()
                continue
            }
            guard let sequence = rest.prefixMatch(of: /\x1B\[(\??[0-9;]*)([A-Za-z])/) else {
                isValid = false
                return
            }
            apply(String(sequence.1), sequence.2)
            rest = rest[sequence.range.upperBound...]
        }
    }

    private mutating func put(_ character: Character) {
        let width = TextWidth.columns(ofCharacter: character)
        guard width > 0, column + width <= columns, row < rows.count else {
            isValid = false
            return
        }
        // Whatever is overwritten in part disappears.
        for place in column..<column + width { rows[row][place] = nil }
        rows[row][column] = character
        written += 1
        column += width
    }

    private mutating func apply(_ parameters: String, _ kind: Substring) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch kind {
        case "H" where numbers.count == 2:
            (row, column) = (numbers[0] - 1, numbers[1] - 1)
            isValid = isValid && rows.indices.contains(row) && (0..<columns).contains(column)
        case "J": rows = rows.map { _ in Array(repeating: " ", count: columns) }
        case "m", "h", "l": break
        default: isValid = false
        }
    }

    /// Whether the screen shows the cells.
    func shows(_ grid: ScreenBuffer) -> Bool {
        (0..<grid.rows).allSatisfy { row in
            (0..<columns).allSatisfy { rows[row][$0] == (grid[row, $0].width > 0 ? grid[row, $0].text : nil) }
        }
    }
}
