/// The number of columns that text occupies in a terminal.
public enum TextWidth {
    /// The width of text without line breaks.
    public static func columns(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns(ofCharacter: $1) } }

    /// The width of a line of output, whose escape sequences occupy no columns.
    public static func columns(ofOutput line: String) -> Int {
        var visible = String.UnicodeScalarView()
        var rest = Substring(line).unicodeScalars
        while let start = rest.firstIndex(of: "\u{1B}") {
            visible.append(contentsOf: rest[..<start])
            rest = rest[start...]
            _ = EscapeSequence(from: &rest)
        }
        visible.append(contentsOf: rest)
        return columns(of: String(visible))
    }

    /// The width of a character: the sum of its scalars' cells, as terminals count them (`wcwidth`). A syllable of
    /// Devanagari, Tamil or Khmer may take many. Only an emoji sequence takes as many cells as a single emoji.
    public static func columns(ofCharacter character: Character) -> Int {
        var (columns, isEmoji) = (0, false)
        var last: Unicode.Scalar?
        for scalar in character.unicodeScalars {
            let continuesEmoji = isEmoji && continues(last, with: scalar)
            if !continuesEmoji {
                columns += width(scalar)
            } else if scalar != "\u{200D}" {
                columns = max(columns, 2)
            }
            isEmoji = continuesEmoji || scalar.properties.isEmoji
            last = scalar
        }
        return columns
    }

    /// Whether a character takes two cells as East Asian characters and emoji do, between which a line may be broken.
    static func isWide(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first else { return false }
        return width(first) == 2 || first.properties.isEmoji && columns(ofCharacter: character) == 2
    }

    /// Truncates text to at most `columns`; a mark of one column replaces what was removed.
    public static func truncated(_ text: String, to columns: Int, mark: String = "…") -> String {
        guard Self.columns(of: text) > columns else { return text }
        var result = ""
        var used = 0
        for character in text {
            let width = Self.columns(ofCharacter: character)
            guard used + width < columns else { break }
            result.append(character)
            used += width
        }
        return result + mark
    }

    /// Pads text with spaces, or truncates it, to exactly `columns`.
    public static func padded(_ text: String, to columns: Int) -> String {
        let truncated = truncated(text, to: columns)
        return truncated + String(repeating: " ", count: max(0, columns - Self.columns(of: truncated)))
    }

    /// Whether a scalar changes the picture of the emoji sequence before it, and takes no cells: presentation as emoji,
    /// the joiner and what follows it, a skin color, the second letter of a flag (UTS #51).
    private static func continues(_ last: Unicode.Scalar?, with scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE0F, 0x200D: true
        case 0x1F3FB...0x1F3FF: last?.properties.isEmojiModifierBase ?? false
        case 0x1F1E6...0x1F1FF: last.map { (0x1F1E6...0x1F1FF).contains($0.value) } ?? false
        default: last == "\u{200D}" && scalar.properties.isEmoji
        }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Signs that enclose the digits after them are of the category of the invisible ones.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(scalar.value) || scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// Whether a scalar is East Asian Wide or Fullwidth (UAX #11), judged by whole blocks.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

/// An escape sequence in a line of output (ECMA-48).
enum EscapeSequence {
    /// A control sequence, such as a change of the color, by its final byte and what stands before it.
    case control(final: Unicode.Scalar, parameters: Substring.UnicodeScalarView)
    /// Another one: a command string, such as a link or a picture, or a part of a sequence.
    case other

    /// Takes the sequence from the start of a text, which is an escape character.
    init(from rest: inout Substring.UnicodeScalarView) {
        rest = rest.dropFirst()
        self = .other
        switch rest.popFirst() {
        case "_", "]", "P", "^": rest = rest.drop { $0 != "\u{1B}" }.dropFirst(2)
        case "[":
            let parameters = rest.prefix { !("@"..."~").contains($0) }
            rest = rest[parameters.endIndex...]
            if let final = rest.popFirst() { self = .control(final: final, parameters: parameters) }
        default: break
        }
    }
}
