/// Fills lines with pieces of text, each of which stays on one line if it fits.
struct LineBuilder {
    private let columns: Int
    private var lines: [String] = []
    private var current = ""
    private var used = 0

    /// - Parameter columns: The width of a line, at least 1.
    init(columns: Int) { self.columns = columns }

    mutating func add(_ piece: Substring) {
        let width = DisplayWidth.of(piece)
        // `used` never exceeds `columns`, which may be `Int.max`.
        if width <= columns - used {
            append(piece, width)
        } else if piece.first == " " {
            breakLine()
        } else if width <= columns {
            breakLine()
            append(piece, width)
        } else {
            for character in piece { fill(character) }
        }
    }

    /// The lines, without spaces at their ends.
    mutating func finished() -> [String] {
        breakLine()
        return lines
    }

    static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    /// A syllable may be wider than a line.
    private mutating func fill(_ character: Character) {
        guard DisplayWidth.of(character: character) > columns else { return split(before: character) }
        for scalar in character.unicodeScalars { split(before: Character(scalar)) }
    }

    /// Appends a character of a piece that is longer than a line. Where the line ends, a character that must not start the
    /// next one takes its predecessor along.
    private mutating func split(before character: Character) {
        let width = DisplayWidth.of(character: character)
        if width > columns - used {
            var carried: Character?
            if LineBreaking.isForbiddenAtStart(character), current.count > 1, let last = current.last,
                DisplayWidth.of(character: last) + width <= columns
            {
                carried = current.removeLast()
            }
            breakLine()
            if let carried { append(String(carried)[...], DisplayWidth.of(character: carried)) }
        }
        append(String(character)[...], width)
    }

    private mutating func append(_ piece: Substring, _ width: Int) {
        current += piece
        used += width
    }

    private mutating func breakLine() {
        lines.append(Self.trimmed(current))
        (current, used) = ("", 0)
    }
}
