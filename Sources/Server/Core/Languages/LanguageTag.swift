/// The rule for the languages of statuses, follows, profiles and the site.
package enum LanguageTag {
    private static let maximumBytes = 35

    /// Whether a text has the form of a language tag (RFC 5646 §2.1), such as `de` or `zh-Hant`. Whether the language
    /// exists is not known. Letters of both cases are accepted.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= maximumBytes, let language = parts.first, (2...3).contains(language.count) else {
            return false
        }
        return language.allSatisfy(isLetter)
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
