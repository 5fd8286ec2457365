import Foundation

/// Filters untrusted text before it is written to a terminal: removes control characters, and thereby escape sequences,
/// as well as characters that change the direction of text.
public enum SafeText {
    /// A single line: line breaks become spaces.
    public static func line(_ text: some StringProtocol) -> String { filtered(text, lineBreak: " ") }

    /// Several lines: line breaks are kept.
    public static func block(_ text: some StringProtocol) -> String { filtered(text, lineBreak: "\n") }

    private static func filtered(_ text: some StringProtocol, lineBreak: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                if scalar.value != 0x0A || !wasReturn { result.append(lineBreak) }
            case 0x09: result.append(" ")
            case _ where isHarmful(scalar.value): break
            default: result.append(scalar)
            }
            wasReturn = scalar.value == 0x0D
        }
        return String(result)
    }

    /// Whether a scalar is removed: C0, DEL and C1; bidirectional embeddings, overrides and isolates (CWE-150);
    /// invisible tags and byte order marks. Joiners are kept, because emoji and several scripts need them.
    private static func isHarmful(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }
}

/// Text for terminals and files that can only hold ASCII, as in the locale `C`.
public enum ASCIIText {
    private static let replacements: [Character: String] = [
        "…": "...", "‥": "..", "–": "-", "—": "--", "―": "--", "−": "-", "‐": "-", "‑": "-", "‘": "'", "’": "'",
        "‚": "'",
        "‹": "<", "›": ">", "“": "\"", "”": "\"", "„": "\"", "«": "<<", "»": ">>", "•": "*", "·": "-", "×": "x",
        "÷": "/", "⁄": "/", "©": "(c)", "®": "(r)", "€": "EUR", "£": "GBP", "←": "<-", "→": "->", "✓": "x", "⚠": "!",
        "★": "*", "⟳": "^", "↩": "<", "↪": ">", "↗": ">", "✎": "~", "⚑": "+", "▣": "#", "▤": "#", "▶": ">", "♪": "#",
        "█": "#",
        "░": ".", "│": "|", "─": "-", "▌": ">", "❝": "\"", "°": " deg", "¡": "!", "¿": "?", "。": ". ", "、": ", ",
        "「": "\"",
        "」": "\"", "ß": "ss", "Æ": "AE", "æ": "ae", "Ø": "O", "ø": "o", "Œ": "OE", "œ": "oe", "Đ": "D", "đ": "d",
        "Ð": "D", "ð": "d", "Ł": "L", "ł": "l", "Þ": "Th", "þ": "th", "ı": "i",
    ]

    /// Letters lose their accents, punctuation becomes similar, and everything else a question mark. Control characters
    /// are kept, so escape sequences remain.
    public static func from(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.map(replacement).joined()
    }

    private static func replacement(_ character: Character) -> String {
        if character.isASCII { return String(character) }
        if let replacement = replacements[character] { return replacement }
        guard DisplayWidth.columns(ofCharacter: character) > 0 else { return "" }
        return decomposed(character) ?? "?"
    }

    /// The letters without their marks; `nil` if they are not ASCII.
    private static func decomposed(_ character: Character) -> String? {
        var result = ""
        for scalar in String(character).decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else if scalar == "\u{2044}" {
                result += "/"
            } else if scalar.properties.generalCategory != .nonspacingMark {
                return nil
            }
        }
        return result.contains { !$0.isWhitespace } || character.isWhitespace ? result : nil
    }
}

/// Formats a number with a noun: "1 account", "2 accounts".
package enum Plural {
    package static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) " + (count == 1 ? one : many ?? one + "s")
    }
}
