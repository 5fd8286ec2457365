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
