/// Divides texts into the tokens that a search compares: what is indexed and what is searched for go through the same
/// function, on the server and in the client.
///
/// A token has no differences in letter case, width and accents, as the key of a hashtag. Words end where the script
/// changes. Scripts that put no spaces between words are divided into pairs of neighbouring characters, and the last
/// character of such a run is a token of its own, so that each character begins a token.
package enum SearchTokenizer {
    /// The version of the tokens. Stored tokens of another version have to be made anew.
    package static let version = 1
    /// The maximum number of tokens of a text; what follows them is not searched.
    package static let maximumTokens = 4096
    /// The maximum length of a token in bytes; what follows is ignored.
    package static let maximumTokenBytes = 64

    /// The tokens of a text in their order, repeated ones too. They consist of letters, digits and marks.
    package static func tokens(of text: String) -> [String] { TokenScanner.tokens(of: text) }

    /// A token and its place in a text.
    struct Word: Equatable {
        enum Form {
            case word
            /// Two neighbouring characters of a script without spaces.
            case pair
            /// The last character of two or more in a script without spaces.
            case end
            /// A single character in a script without spaces.
            case single
        }

        var token: String
        var form: Form
        /// The positions of its first character and of the one after its last.
        var range: Range<Int>
    }

    static func words(of text: String) -> [Word] {
        var splitter = WordSplitter()
        for (position, scalar) in FoldedText.fold(text).unicodeScalars.enumerated() {
            splitter.append(scalar, at: position)
            if splitter.isFull { break }
        }
        return splitter.finished()
    }
}

extension SearchTokenizer {
    /// The tokens of a text and the parts of the text that they stand for.
    package static func places(in text: String) -> [(token: String, range: Range<String.Index>)] {
        var splitter = WordSplitter()
        var starts: [String.Index] = []
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        while start < scalars.endIndex, !splitter.isFull {
            let end = endOfUnit(from: start, in: scalars)
            for scalar in FoldedText.fold(String(scalars[start..<end])).unicodeScalars {
                splitter.append(scalar, at: starts.count)
            }
            starts.append(start)
            start = end
        }
        starts.append(start)
        return splitter.finished().map { ($0.token, starts[$0.range.lowerBound]..<starts[$0.range.upperBound]) }
    }

    /// The end of a character and of those that may compose with it.
    private static func endOfUnit(from start: String.Index, in scalars: String.UnicodeScalarView) -> String.Index {
        let rest = scalars[scalars.index(after: start)...]
        return rest.firstIndex { !composes($0) } ?? scalars.endIndex
    }

    private static func composes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300: return false
        // Vowels and final consonants of Hangul, and the voicing marks of narrow Katakana.
        case 0x1160...0x11FF, 0xFF9E...0xFF9F: return true
        default:
            let category = scalar.properties.generalCategory
            return category == .nonspacingMark || category == .spacingMark || category == .enclosingMark
        }
    }
}

/// Finds the tokens of a text, and folds only the words that are not ASCII, because folding takes most of the time.
struct TokenScanner {
    private var tokens: [String] = []

    static func tokens(of text: String) -> [String] {
        var (scanner, text) = (TokenScanner(), text)
        text.withUTF8 { scanner.scan($0) }
        return Array(scanner.tokens.prefix(SearchTokenizer.maximumTokens))
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
        var (start, isASCII) = (0, true)
        for (index, byte) in bytes.enumerated() where !Self.isPart(byte, &isASCII) {
            append(bytes[start..<index], isASCII: isASCII)
            (start, isASCII) = (index + 1, true)
            guard tokens.count < SearchTokenizer.maximumTokens else { return }
        }
        append(bytes[start...], isASCII: isASCII)
    }

    /// The lowercase of ASCII text, written where the string has its bytes.
    private static func lowercased(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(unsafeUninitializedCapacity: word.count) { lowercase in
            for (index, byte) in word.enumerated() {
                lowercase[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            }
            return word.count
        }
    }

    /// Whether a byte does not end a word whatever surrounds it.
    private static func isPart(_ byte: UInt8, _ isASCII: inout Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return true
        case 0x80...:
            isASCII = false
            return true
        default: return false
        }
    }

    private mutating func append(_ word: Slice<UnsafeBufferPointer<UInt8>>, isASCII: Bool) {
        guard !word.isEmpty else { return }
        if isASCII {
            tokens.append(Self.lowercased(word.prefix(SearchTokenizer.maximumTokenBytes)))
        } else {
            tokens += SearchTokenizer.words(of: String(decoding: word, as: UTF8.self)).map(\.token)
        }
    }
}

/// Divides folded text into the words of ``SearchTokenizer``, one character at a time.
struct WordSplitter {
    private var words: [SearchTokenizer.Word] = []
    private var word = ""
    private var start = 0
    private var end = 0
    private var script = SearchScript.common
    /// The number of characters of the current run in a script without spaces.
    private var run = 0

    /// Whether further characters are ignored.
    var isFull: Bool { words.count >= SearchTokenizer.maximumTokens }

    /// - Parameter position: The position of the character in the text, which does not decrease.
    mutating func append(_ scalar: Unicode.Scalar, at position: Int) {
        switch WordCharacter(scalar) {
        case .separator: endWord()
        case .ignored: if !word.isEmpty { end = position + 1 }
        case .part:
            let next = SearchScript(scalar)
            if !script.continues(with: next) { endWord() }
            if next != .common || word.isEmpty { script = next }
            if script.hasSpaces { extend(scalar, at: position) } else { pair(scalar, at: position) }
        }
    }

    mutating func finished() -> [SearchTokenizer.Word] {
        endWord()
        return Array(words.prefix(SearchTokenizer.maximumTokens))
    }

    private mutating func extend(_ scalar: Unicode.Scalar, at position: Int) {
        if word.isEmpty { start = position }
        end = position + 1
        guard word.utf8.count + UTF8.width(scalar) <= SearchTokenizer.maximumTokenBytes else { return }
        word.unicodeScalars.append(scalar)
    }

    /// Keeps the last character, which begins the next pair.
    private mutating func pair(_ scalar: Unicode.Scalar, at position: Int) {
        if run > 0 {
            word.unicodeScalars.append(scalar)
            words.append(.init(token: word, form: .pair, range: start..<position + 1))
        }
        word = String(scalar)
        (start, end) = (position, position + 1)
        run += 1
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let form: SearchTokenizer.Word.Form = run == 0 ? .word : run == 1 ? .single : .end
        words.append(.init(token: word, form: form, range: start..<end))
        (word, script, run) = ("", .common, 0)
    }
}

/// The role of a character in a word.
private enum WordCharacter {
    case part
    /// Neither part of a word nor its end: marks that keys of hashtags omit, and invisible characters.
    case ignored
    case separator

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "a"..."z", "0"..."9", "A"..."Z": self = .part
        default: self = scalar.isASCII ? .separator : Self.general(scalar)
        }
    }

    private static func general(_ scalar: Unicode.Scalar) -> WordCharacter {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber:
            return .part
        case .nonspacingMark, .spacingMark, .enclosingMark:
            // As in keys of hashtags: without the marks from U+0E47, words of Thai would differ.
            return scalar.properties.isAlphabetic || (0xE47...0xE4E).contains(scalar.value) ? .part : .ignored
        // A space without width divides words.
        case .format: return scalar.value == 0x200B ? .separator : .ignored
        default: return .separator
        }
    }
}

/// The script of a character as far as words end where it changes.
private enum SearchScript: Equatable {
    /// Digits and marks, which continue a word in any script that has spaces.
    case common
    /// A script that puts spaces between words, by a number of our own.
    case spaced(UInt32)
    case chinese, thai, lao, burmese, khmer

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self = ("0"..."9").contains(scalar) ? .common : .spaced(Self.latin)
        } else {
            self = Self.unspaced(scalar.value) ?? Self.other(scalar)
        }
    }

    var hasSpaces: Bool {
        switch self {
        case .common, .spaced: true
        default: false
        }
    }

    /// Whether a word goes on with a character of another script.
    func continues(with next: SearchScript) -> Bool {
        self == next || hasSpaces && next.hasSpaces && (self == .common || next == .common)
    }

    private static let latin: UInt32 = 1

    /// Chinese, Japanese and Korean are one script, because words mix their characters.
    private static func unspaced(_ value: UInt32) -> SearchScript? {
        switch value {
        case 0x0E00...0x0E7F: .thai
        case 0x0E80...0x0EFF: .lao
        case 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F: .burmese
        case 0x1780...0x17FF: .khmer
        case 0x1100...0x11FF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C, 0x3041...0x318F, 0x31A0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x16FF0...0x18D08,
            0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
            .chinese
        default: nil
        }
    }

    private static func other(_ scalar: Unicode.Scalar) -> SearchScript {
        if scalar.properties.generalCategory == .decimalNumber { return .common }
        switch scalar.value {
        case 0x80...0x2AF, 0x1D00...0x1DBF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F:
            return .spaced(latin)
        case 0x2B0...0x36F: return .common
        case 0x370...0x3FF, 0x1F00...0x1FFF: return .spaced(2)
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: return .spaced(3)
        case 0x530...0x58F: return .spaced(4)
        case 0x590...0x5FF: return .spaced(5)
        case 0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF: return .spaced(6)
        // Most scripts of India have 128 characters each.
        case 0x900...0xDFF: return .spaced(scalar.value >> 7)
        default: return .spaced(0)
        }
    }
}
