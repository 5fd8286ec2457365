/// A text that is being typed, and the place of the cursor in it.
package struct TextInput: Equatable, Sendable {
    /// The text on either side of the cursor. What is typed may become one character with its neighbor.
    package private(set) var before: String
    package private(set) var after = ""

    /// Longer texts are not accepted, in bytes.
    private static let maximumSize = 1 << 16

    package var text: String { before + after }
    package var isEmpty: Bool { before.isEmpty && after.isEmpty }

    package init(_ text: String = "") { before = text }

    /// - Parameter isBlock: Whether the text may have several lines.
    /// - Returns: Whether the key edits texts.
    mutating func take(_ key: Key, isBlock: Bool) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(isBlock ? SafeText.block(text) : SafeText.line(text))
        case .enter where isBlock: insert("\n")
        case .backspace: _ = before.popLast()
        case .delete: if !after.isEmpty { after.removeFirst() }
        case .left: if let last = before.popLast() { after.insert(last, at: after.startIndex) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): moveToLineStart()
        case .end, .control("e"): moveToLineEnd()
        case .control("u"): eraseLine()
        case .control("w"): eraseWord()
        case .control("k"): after = String(after.drop { $0 != "\n" })
        default: return false
        }
        return true
    }

    private mutating func insert(_ text: String) {
        if before.utf8.count + after.utf8.count + text.utf8.count <= Self.maximumSize { before += text }
    }

    private mutating func moveToLineStart() {
        let line = String(before.reversed().prefix { $0 != "\n" }.reversed())
        before.removeLast(min(line.count, before.count))
        after = line + after
    }

    private mutating func moveToLineEnd() {
        let line = after.prefix { $0 != "\n" }
        before += line
        after = String(after[line.endIndex...])
    }

    private mutating func eraseLine() {
        while let last = before.last, last != "\n" { before.removeLast() }
    }

    private mutating func eraseWord() {
        while let last = before.last, last.isWhitespace { before.removeLast() }
        while let last = before.last, !last.isWhitespace { before.removeLast() }
    }
}

extension TextInput {
    /// The text that fits in some columns of a row before the cursor.
    func before(fitting columns: Int) -> Substring {
        var (start, room) = (before.endIndex, columns)
        while start > before.startIndex {
            let previous = before.index(before: start)
            room -= TextWidth.columns(of: SafeText.line(before[previous..<start]))
            if room < 0 { break }
            start = previous
        }
        return before[start...]
    }

    /// The text in lines of a width, and the place of the cursor. Unlike in text that is only read, no space is left out.
    func layout(columns: Int) -> (lines: [String], row: Int, column: Int) {
        var (lines, used, cursor) = ([""], 0, (0, 0))
        func add(_ text: String) {
            for character in text {
                let width = TextWidth.columns(ofCharacter: character)
                if character == "\n" || used + width >= max(2, columns) {
                    lines.append("")
                    used = 0
                }
                guard character != "\n" else { continue }
                lines[lines.count - 1].append(character)
                used += width
            }
        }
        add(before)
        cursor = (lines.count - 1, used)
        add(after)
        return (lines, cursor.0, cursor.1)
    }
}
