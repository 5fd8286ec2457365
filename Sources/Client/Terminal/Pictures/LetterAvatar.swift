/// The initial of a name on a colored background, as a substitute for a picture.
public enum LetterAvatar {
    /// The width, including the gap after it.
    public static let columns = 4

    /// Colors of the 256-color palette on which white text is legible (a contrast ratio of at least 4.5, WCAG 1.4.3).
    private static let palette = [
        24, 25, 26, 28, 29, 54, 55, 57, 58, 61, 63, 89, 90, 92, 94, 97, 124, 125, 127, 130, 131, 160, 161, 162,
    ]
    /// The maximum number of scalars in a grapheme; a longer or wider one is reduced to its first scalar. Family emoji
    /// have seven.
    private static let maximumScalars = 10

    /// ` A  ` on a background that depends on the name, or `[A] ` without color.
    /// - Parameter name: Any text; it is filtered by ``SafeText``.
    public static func text(for name: String, hasColor: Bool) -> String {
        let safe = SafeText.line(name)
        let letter = initial(of: safe)
        guard hasColor else { return TextWidth.padded("[\(letter)]", to: columns) }
        let cell = TextWidth.padded(" \(letter)", to: columns - 1)
        return "\u{1B}[48;5;\(background(of: safe));38;5;231m\(cell)\u{1B}[0m "
    }

    /// The first letter, digit or wide character, in uppercase; otherwise the first visible character, or `?`.
    static func initial(of name: String) -> String {
        let visible = name.filter { !$0.isWhitespace && TextWidth.columns(ofCharacter: $0) > 0 }
        let preferred = visible.first { $0.isLetter || $0.isNumber || TextWidth.columns(ofCharacter: $0) == 2 }
        guard let first = preferred ?? visible.first else { return "?" }
        let letter = String(shortened(first))
        let uppercase = letter.uppercased()
        return uppercase.count == 1 && TextWidth.columns(of: uppercase) == TextWidth.columns(of: letter)
            ? uppercase : letter
    }

    private static func shortened(_ character: Character) -> Character {
        let isShort =
            character.unicodeScalars.count <= maximumScalars && TextWidth.columns(ofCharacter: character) <= 2
        guard !isShort, let first = character.unicodeScalars.first else { return character }
        return Character(first)
    }

    /// Uses FNV-1a, because the hashes of Swift differ from run to run.
    private static func background(of name: String) -> Int {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return palette[Int(hash % UInt64(palette.count))]
    }
}
