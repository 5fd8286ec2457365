/// Finds the tokens of a text, and folds only the words that are not ASCII, because folding takes most of the time.
struct TokenScanner {
    private var tokens: [String] = []

    static func tokens(of text: String) -> [String] {
        var (scanner, text) = (TokenScanner(), text)
        text.withUTF8 { scanner.scan($0) }
        return Array(scanner.tokens.prefix(SearchText.maximumTokens))
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
        var (start, isASCII) = (0, true)
        for (index, byte) in bytes.enumerated() where !Self.isPart(byte, &isASCII) {
            append(bytes[start..<index], isASCII: isASCII)
            (start, isASCII) = (index + 1, true)
            guard tokens.count < SearchText.maximumTokens else { return }
        }
        append(bytes[start...], isASCII: isASCII)
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
            let lowercase = word.prefix(SearchText.maximumTokenBytes).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
            tokens.append(String(decoding: lowercase, as: UTF8.self))
        } else {
            tokens += SearchText.words(of: String(decoding: word, as: UTF8.self)).map(\.token)
        }
    }
}
