/// Wraps text.
public enum TextWrap {
    /// Wraps at spaces and next to wide characters; splits words that are longer than a line.
    /// - Parameters:
    ///   - text: Text that has been filtered by ``SafeText``. Its line breaks are kept.
    ///   - columns: The width of a line, at least 2.
    public static func lines(_ text: String, columns: Int) -> [String] {
        let columns = max(2, columns)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap($0, columns) }
    }

    private static func wrap(_ line: Substring, _ columns: Int) -> [String] {
        var builder = Builder(columns: columns)
        for piece in pieces(of: line) { builder.add(piece) }
        return builder.finished()
    }

    /// Runs of spaces, words and single wide characters.
    private static func pieces(of line: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var rest = line
        while let first = rest.first {
            let piece: Substring
            if first == " " {
                piece = rest.prefix { $0 == " " }
            } else if DisplayWidth.of(character: first) == 2 {
                piece = rest.prefix(1)
            } else {
                piece = rest.prefix { $0 != " " && DisplayWidth.of(character: $0) != 2 }
            }
            pieces.append(piece)
            rest = rest[piece.endIndex...]
        }
        return pieces
    }

    private struct Builder {
        let columns: Int
        var lines: [String] = []
        var current = ""
        var used = 0

        init(columns: Int) { self.columns = columns }

        mutating func add(_ piece: Substring) {
            let width = DisplayWidth.of(piece)
            if used + width <= columns {
                append(piece, width)
            } else if piece.first == " " {
                breakLine()
            } else if width <= columns {
                breakLine()
                append(piece, width)
            } else {
                for character in piece {
                    let width = DisplayWidth.of(character: character)
                    if used + width > columns { breakLine() }
                    append(String(character)[...], width)
                }
            }
        }

        mutating func append(_ piece: Substring, _ width: Int) {
            current += piece
            used += width
        }

        mutating func breakLine() {
            lines.append(trimmed(current))
            current = ""
            used = 0
        }

        mutating func finished() -> [String] {
            breakLine()
            return lines
        }

        private func trimmed(_ line: String) -> String {
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
