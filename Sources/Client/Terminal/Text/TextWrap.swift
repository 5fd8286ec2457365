/// Wraps text.
public enum TextWrap {
    /// Wraps at spaces and next to wide characters, except where ``LineBreaking`` forbids it; splits words that are longer
    /// than a line. An address of the web is never split: the terminal continues it on its next line, so that it can be
    /// clicked and copied. The lines after the first start below the text of a quote (`> `), an item (`• `, `1. `) or an
    /// indented line.
    /// - Parameters:
    ///   - text: Text that has been filtered by ``SafeText``. Its line breaks are kept.
    ///   - columns: The width of a line, at least 2; `Int.max` for whole lines.
    public static func lines(_ text: String, columns: Int) -> [String] {
        let columns = max(2, columns)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap($0, columns) }
    }

    private static func wrap(_ line: Substring, _ columns: Int) -> [String] {
        let lead = LineLead(of: line, columns: columns)
        var builder = LineBuilder(columns: columns - lead.width)
        for piece in LineBreaking.pieces(of: line.dropFirst(lead.first.count)) { builder.add(piece) }
        let wrapped = builder.finished()
        guard lead.width > 0 else { return wrapped }
        return wrapped.enumerated().map { index, text in
            let whole = (index == 0 ? lead.first : lead.others) + text
            return text.isEmpty ? LineBuilder.trimmed(whole) : whole
        }
    }
}

/// Wraps text at spaces only, so that no handle or id is divided.
public enum WordWrap {
    /// - Parameters:
    ///   - text: A single line that has been filtered by ``SafeText``.
    ///   - columns: The width of a line. A word that is wider has a line of its own.
    public static func lines(_ text: String, columns: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            guard let last = lines.last, TextWidth.columns(of: last) + 1 + TextWidth.columns(of: word) <= columns
            else {
                return lines.append(String(word))
            }
            lines[lines.count - 1] = last + " " + word
        }
    }
}

/// Fills lines with pieces of text, each of which stays on one line if it fits.
struct LineBuilder {
    private let columns: Int
    private var lines: [String] = []
    private var current = ""
    private var used = 0

    /// - Parameter columns: The width of a line, at least 1.
    init(columns: Int) { self.columns = columns }

    mutating func add(_ next: LineBreaking.Piece) {
        let piece = next.text
        let width = TextWidth.columns(of: piece)
        // `used` exceeds `columns`, which may be `Int.max`, only after an address.
        if width <= columns - used {
            append(piece, width)
        } else if piece.first == " " {
            breakLine()
        } else if width <= columns {
            breakLine()
            append(piece, width)
        } else if next.isAddress {
            if used > 0 { breakLine() }
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
        guard TextWidth.columns(ofCharacter: character) > columns else { return split(before: character) }
        for scalar in character.unicodeScalars { split(before: Character(scalar)) }
    }

    /// Appends a character of a piece that is longer than a line. Where the line ends, a character that must not start the
    /// next one takes its predecessor along.
    private mutating func split(before character: Character) {
        let width = TextWidth.columns(ofCharacter: character)
        if width > columns - used {
            var carried: Character?
            if LineBreaking.isForbiddenAtStart(character), current.count > 1, let last = current.last,
                TextWidth.columns(ofCharacter: last) + width <= columns
            {
                carried = current.removeLast()
            }
            breakLine()
            if let carried { append(String(carried)[...], TextWidth.columns(ofCharacter: carried)) }
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

/// The prefix of a line, and the prefix of its continuation when it is wrapped.
struct LineLead {
    private static let maximumDigits = 4

    private(set) var first = ""
    private(set) var others = ""

    var width: Int { TextWidth.columns(of: first) }

    /// - Parameter columns: The width of a line. Nothing precedes the continuation if it would take half of that.
    init(of line: Substring, columns: Int) {
        var rest = line
        while let next = rest.first, next == " " || rest.hasPrefix("> ") {
            let part = next == " " ? rest.prefix { $0 == " " } : rest.prefix(2)
            first += part
            others += part
            rest = rest.dropFirst(part.count)
        }
        let marker = Self.marker(rest)
        first += marker
        others += String(repeating: " ", count: marker.count)
        if TextWidth.columns(of: first) > columns / 2 { (first, others) = ("", "") }
    }

    /// The bullet or number of an item.
    private static func marker(_ line: Substring) -> Substring {
        if line.hasPrefix("• ") || line.hasPrefix("* ") || line.hasPrefix("- ") { return line.prefix(2) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard (1...maximumDigits).contains(digits.count), line.dropFirst(digits.count).hasPrefix(". ") else {
            return ""
        }
        return line.prefix(digits.count + 2)
    }
}

/// Finds the places where a line of text may be broken: at spaces and next to wide characters, but for the rules of
/// Chinese, Japanese and Korean (JIS X 4051, GB/T 15834): no closing punctuation at the start of a line, no opening
/// punctuation at its end.
public enum LineBreaking {
    /// Closing brackets and quotes, punctuation that follows a word, small kana, and marks of repetition and length.
    private static let forbiddenAtStart = Set<Character>(
        "!%),.:;?]}¢°·’”‰′″℃、。〃々〉》」』】〕〗〙〛〞〟〻ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞ゠ァィゥェォッャュョヮヵヶ・ーヽヾ"
            + "ㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ︰﹐﹑﹒﹔﹕﹖﹗﹘﹚﹜﹞！％），．／：；？］｜｝～｠｡｣､･ｧｨｩｪｫｬｭｮｯｰ…‥—–»›‼⁇⁈⁉〜〰")

    /// Opening brackets and quotes, and signs that precede a number or a name.
    private static let forbiddenAtEnd = Set<Character>("#$([{@£¥‘“〈《「『【〔〖〘〚〝﹙﹛﹝＃＄（［｛｟｢￠￡￥«‹")

    public static func isForbiddenAtStart(_ character: Character) -> Bool { forbiddenAtStart.contains(character) }

    public static func isForbiddenAtEnd(_ character: Character) -> Bool { forbiddenAtEnd.contains(character) }

    /// A part of a line that is not broken unless it is longer than a line.
    struct Piece {
        let text: Substring
        /// Whether it contains an address, and is not broken in any case.
        var isAddress = false
    }

    /// Runs of spaces, and pieces between which a line may be broken.
    static func pieces(of line: Substring) -> [Piece] {
        // Most lines contain no address.
        let addresses =
            line.utf8.firstRange(of: "://".utf8) == nil
            ? [] : TextLink.all(in: line).filter { $0.kind == .address }.map(\.range)
        var (pieces, rest, start) = ([Piece](), addresses[...], line.startIndex)
        for index in line.indices.dropFirst() {
            let isInside = rest.first.map { $0.lowerBound < index && index < $0.upperBound } ?? false
            guard !isInside, isBreak(line, before: index) else { continue }
            pieces.append(piece(line[start..<index], &rest))
            start = index
        }
        if start < line.endIndex { pieces.append(piece(line[start...], &rest)) }
        return pieces
    }

    /// - Parameter addresses: The addresses from this piece on; those in it are removed.
    private static func piece(_ text: Substring, _ addresses: inout ArraySlice<Range<String.Index>>) -> Piece {
        let count = addresses.prefix { $0.lowerBound < text.endIndex }.count
        addresses.removeFirst(count)
        return Piece(text: text, isAddress: count > 0)
    }

    /// The punctuation of East Asian text, which is written without spaces.
    private static let widePunctuation = Set(
        forbiddenAtStart.union(forbiddenAtEnd).flatMap(\.unicodeScalars)
            .filter { $0.value >= 0x3000 && !$0.properties.isAlphabetic && $0 != "ー" && $0 != "々" })

    /// Whether a scalar cannot belong to an address of the web.
    static func endsAddress(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "<>\"“”‘’«»".unicodeScalars.contains(scalar)
            || widePunctuation.contains(scalar)
    }

    private static func isBreak(_ line: Substring, before index: Substring.Index) -> Bool {
        let (last, next) = (line[line.index(before: index)], line[index])
        if last == " " || next == " " { return last != next }
        guard TextWidth.isWide(last) || TextWidth.isWide(next) else { return false }
        return !isForbiddenAtStart(next) && !isForbiddenAtEnd(last)
    }
}
