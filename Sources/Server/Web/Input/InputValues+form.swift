import FeedCore

extension InputValues {
    /// Parses `a=1&b=2` (`application/x-www-form-urlencoded` of the URL Standard). A malformed escape is kept
    /// literally.
    /// - Throws: ``FeedError`` `.tooLarge`.
    init(form text: some StringProtocol, upTo maximumCount: Int = Self.maximumCount) throws(FeedError) {
        self.init(upTo: maximumCount)
        for pair in text.utf8.lazy.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            try append(decoded(pair[..<equals]), decoded(pair[equals...].dropFirst()))
        }
    }

    private mutating func decoded(_ text: some Collection<UInt8>) -> String {
        if let decoded = String(validating: Self.unescaped(Array(text)), as: UTF8.self) { return decoded }
        hasInvalidUTF8 = true
        return String(decoding: text, as: UTF8.self)
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
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

    /// The text of a form, which must be UTF-8.
    /// - Throws: ``FeedError`` `.malformed`.
    static func validated(_ bytes: some Sequence<UInt8>) throws(FeedError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8 }
        return text
    }

    static let notUTF8 = FeedError.malformed("The form is not valid UTF-8")
}
