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
            let tag = range.drop { $0 == UInt8(ascii: " ") }.prefix {
                $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ")
            }
            guard let language = Self.language(of: tag) else { continue }
            let quality = Self.quality(range[tag.endIndex...])
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
        for subtag in tag.split(separator: UInt8(ascii: "-")).dropFirst() {
            let name = String(Substring(subtag)).lowercased()
            if name == "hans" { return false }
            if ["hant", "tw", "hk", "mo"].contains(name) { return true }
        }
        return false
    }

    /// The weight of a language in thousandths.
    /// - Parameter parameters: For example `;q=0.8`; empty for 1.
    /// - Returns: 0 for a malformed weight.
    private static func quality(_ parameters: Substring.UTF8View) -> Int {
        guard let equals = parameters.firstIndex(of: UInt8(ascii: "=")) else { return 1000 }
        var (quality, unit) = (0, 1000)
        for byte in parameters[equals...].dropFirst() where byte != UInt8(ascii: " ") {
            switch byte {
            case UInt8(ascii: ".") where unit == 1000: unit = 100
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                quality += Int(byte - UInt8(ascii: "0")) * unit
                if unit < 1000 { unit /= 10 }
            default: return 0
            }
        }
        return min(quality, 1000)
    }
}
