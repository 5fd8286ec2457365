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
            tokens.append(Self.lowercased(word.prefix(SearchText.maximumTokenBytes)))
        } else {
            tokens += SearchText.words(of: String(decoding: word, as: UTF8.self)).map(\.token)
        }
    }
}
