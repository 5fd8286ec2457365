import Foundation

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
        guard TextWidth.columns(ofCharacter: character) > 0 else { return "" }
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
