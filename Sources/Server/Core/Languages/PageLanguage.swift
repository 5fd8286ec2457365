import FeedAPI

/// A language of the pages. The raw values are language tags (RFC 5646); they are stored and sent to browsers.
package enum PageLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case chinese = "zh-Hans"

    /// The number of bytes of a header field that are read, which is more than any browser sends.
    private static let maximumBytes = 256

    /// The name of the language in itself.
    package var name: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .chinese: "简体中文"
        }
    }

    /// The language that a browser prefers (RFC 9110 §12.5.4). It allocates no memory, because it is called for pages in
    /// memory, too.
    /// - Parameter header: The value of Accept-Language.
    /// - Returns: `nil` if the pages have none of the accepted languages.
    package init?(accepted header: String) {
        var best: (language: PageLanguage, quality: Int)?
        var rest = header.utf8.prefix(Self.maximumBytes)
        while !rest.isEmpty, best?.quality ?? 0 < 1000 {
            let range = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[range.endIndex...].dropFirst()
            let tag = range.drop { $0.isBlank }.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }
            guard let language = Self.language(of: tag) else { continue }
            let quality = QualityValue.thousandths(range[tag.endIndex...]) ?? 0
            if quality > best?.quality ?? 0 { best = (language, quality) }
        }
        guard let best else { return nil }
        self = best.language
    }

    /// - Parameter tag: A language tag, such as `de-AT`.
    /// - Returns: `nil` if the pages do not have its language.
    package init?(tag: String) {
        guard let language = Self.language(of: tag.utf8[...]) else { return nil }
        self = language
    }

    private static func language(of tag: Substring.UTF8View) -> PageLanguage? {
        guard let second = tag.dropFirst().first, let first = tag.first else { return nil }
        guard tag.dropFirst(2).first ?? UInt8(ascii: "-") == UInt8(ascii: "-") else { return nil }
        switch (first | 0x20, second | 0x20) {
        case (UInt8(ascii: "e"), UInt8(ascii: "n")): return .english
        case (UInt8(ascii: "d"), UInt8(ascii: "e")): return .german
        case (UInt8(ascii: "z"), UInt8(ascii: "h")): return isTraditional(tag) ? nil : .chinese
        default: return nil
        }
    }

    /// Whether a tag of Chinese means the traditional script, by itself or by its region.
    private static func isTraditional(_ tag: Substring.UTF8View) -> Bool {
        var rest = tag
        while let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
            rest = rest[hyphen...].dropFirst()
            let subtag = rest.prefix { $0 != UInt8(ascii: "-") }
            func isNamed(_ name: String) -> Bool { subtag.lazy.map { $0 | 0x20 }.elementsEqual(name.utf8) }
            if isNamed("hans") { return false }
            if isNamed("hant") || isNamed("tw") || isNamed("hk") || isNamed("mo") { return true }
        }
        return false
    }
}

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
