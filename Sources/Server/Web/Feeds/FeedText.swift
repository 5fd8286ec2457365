import FeedCore

/// Plain texts of feeds, which readers show in lists, beside other texts, and in terminals.
enum FeedText {
    /// The maximum length of a title in characters, and of one character in scalars, on average.
    private static let (titleCharacters, scalarsPerCharacter) = (80, 4)

    /// A text in one line, without characters that change what surrounds it: controls and overrides of the direction.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var needsSpace = false
        for scalar in text.unicodeScalars where !isDirectional(scalar) {
            if isControl(scalar) || scalar.properties.isWhitespace {
                needsSpace = !line.isEmpty
            } else if !isNoncharacter(scalar) {
                if needsSpace { line.append(" ") }
                needsSpace = false
                line.append(scalar)
            }
        }
        return String(line)
    }

    /// The beginning of a text, in one line.
    static func title(_ text: String) -> String {
        let line = line(String(text.prefix(8 * titleCharacters)))
        let start = line.prefix(titleCharacters).unicodeScalars.prefix(titleCharacters * scalarsPerCharacter)
        guard start.endIndex < line.endIndex else { return line }
        // Rather a whole word, unless that is much shorter.
        let space = start.lastIndex { $0 == " " }.flatMap { line[..<$0].count > titleCharacters / 2 ? $0 : nil }
        return String(line[..<(space ?? start.endIndex)]) + "…"
    }

    /// HTML without control characters, which mean nothing in it but something in a terminal.
    static func html(_ html: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in html.unicodeScalars where isBreak(scalar) || !isControl(scalar) && !isNoncharacter(scalar) {
            kept.append(scalar)
        }
        return String(kept)
    }

    /// A language tag (RFC 5646 §2.1), which may be anything in a status.
    static func language(_ text: String?) -> String? {
        text.flatMap { LanguageTag.isValid($0) ? $0 : nil }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }

    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }
}
