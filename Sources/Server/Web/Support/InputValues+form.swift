import FeedCore

extension InputValues {
    /// Reads `a=1&b=2` (the URL standard's form encoding). A broken escape stands for itself.
    init(form text: some StringProtocol) {
        self.init()
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            append(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    private mutating func decoded(_ text: some StringProtocol) -> String {
        let bytes = Self.unescaped(Array(text.utf8))
        if let decoded = String(validating: bytes, as: UTF8.self) { return decoded }
        isGarbled = true
        return String(text)
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = Hexadecimal.value(ofDigit: text[index + 1]),
                let low = Hexadecimal.value(ofDigit: text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[index])
                index += 1
            }
        }
        return bytes
    }

    /// What a form says, which must be UTF-8.
    /// - Throws: ``FeedError`` `.malformed`.
    static func validated(_ bytes: some Sequence<UInt8>) throws(FeedError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8 }
        return text
    }

    static let notUTF8 = FeedError.malformed("The form is no valid UTF-8")
}
