/// The coloured initial of a name, where no picture can be shown.
public enum InitialBadge {
    /// Columns of a badge, the gap behind it included.
    public static let columns = 4

    /// Of the 256 colours those on which white text is easy to read (a contrast of 4.5 or more, WCAG 1.4.3).
    private static let palette = [
        24, 25, 26, 28, 29, 54, 55, 57, 58, 61, 63, 89, 90, 92, 94, 97, 124, 125, 127, 130, 131, 160, 161, 162,
    ]
    /// Graphemes with more scalars than this are cut to the first; families need seven.
    private static let maximumScalars = 10

    /// ` A  ` with a background that is always the same for a name, or `[A] ` without colour.
    /// - Parameter name: Anything; it is made safe here.
    public static func text(for name: String, hasColour: Bool) -> String {
        let safe = SafeText.line(name)
        let letter = initial(of: safe)
        guard hasColour else { return DisplayWidth.padded("[\(letter)]", to: columns) }
        let cell = DisplayWidth.padded(" \(letter)", to: columns - 1)
        return "\u{1B}[48;5;\(background(of: safe));38;5;231m\(cell)\u{1B}[0m "
    }

    /// The first letter, digit or wide character, in capitals; else the first that can be seen; else `?`.
    static func initial(of name: String) -> String {
        let visible = name.filter { !$0.isWhitespace && DisplayWidth.of(character: $0) > 0 }
        let telling = visible.first { $0.isLetter || $0.isNumber || DisplayWidth.of(character: $0) == 2 }
        guard let first = telling ?? visible.first else { return "?" }
        let letter = String(short(first))
        let capital = letter.uppercased()
        return capital.count == 1 && DisplayWidth.of(capital) == DisplayWidth.of(letter) ? capital : letter
    }

    private static func short(_ character: Character) -> Character {
        guard character.unicodeScalars.count > maximumScalars, let first = character.unicodeScalars.first else {
            return character
        }
        return Character(first)
    }

    /// By FNV-1a, since Swift's own hashes differ from run to run.
    private static func background(of name: String) -> Int {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return palette[Int(hash % UInt64(palette.count))]
    }
}
