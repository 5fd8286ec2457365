/// The number of columns that text occupies in a terminal.
public enum DisplayWidth {
    /// The width of text without line breaks.
    public static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of(character: $1) } }

    /// The width of a line of output, whose escape sequences occupy no columns.
    public static func of(output line: String) -> Int {
        var visible = String.UnicodeScalarView()
        var rest = Substring(line).unicodeScalars
        while let start = rest.firstIndex(of: "\u{1B}") {
            visible.append(contentsOf: rest[..<start])
            rest = afterEscape(rest[start...].dropFirst())
        }
        visible.append(contentsOf: rest)
        return of(String(visible))
    }

    /// What follows an escape sequence: a control sequence (ECMA-48) up to its final byte, or a command string, such as a
    /// picture, up to its terminator.
    private static func afterEscape(_ rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        guard let kind = rest.first else { return rest }
        let inside = rest.dropFirst()
        guard "_]P^".unicodeScalars.contains(kind) else {
            return kind == "[" ? inside.drop { !("@"..."~").contains($0) }.dropFirst() : inside
        }
        return inside.drop { $0 != "\u{1B}" }.dropFirst(2)
    }

    /// The width of a character: 0, 1 or 2, depending on the widest scalar of the grapheme.
    public static func of(character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains("\u{FE0F}"), scalars.first?.properties.isEmoji == true { return 2 }
        return scalars.reduce(0) { max($0, width($1)) }
    }

    /// Truncates text to at most `columns`; a mark of one column replaces what was removed.
    public static func truncated(_ text: String, to columns: Int, mark: String = "…") -> String {
        guard of(text) > columns else { return text }
        var result = ""
        var used = 0
        for character in text {
            let width = of(character: character)
            guard used + width < columns else { break }
            result.append(character)
            used += width
        }
        return result + mark
    }

    /// Pads text with spaces, or truncates it, to exactly `columns`.
    public static func padded(_ text: String, to columns: Int) -> String {
        let truncated = truncated(text, to: columns)
        return truncated + String(repeating: " ", count: max(0, columns - of(truncated)))
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if isWide(scalar.value) || scalar.properties.isEmojiPresentation { return 2 }
        return (0x1160...0x11FF).contains(scalar.value) ? 0 : 1
    }

    /// Whether a scalar is East Asian Wide or Fullwidth (UAX #11), judged by whole blocks.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
