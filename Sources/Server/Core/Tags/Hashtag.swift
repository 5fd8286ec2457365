import FeedAPI
import Foundation

/// The names of hashtags: which texts are one, and which of them are the same.
package enum Hashtag {
    /// The maximum length of a name and of a key in bytes.
    static let maximumBytes = 200

    /// The name of a hashtag without `#`, as written.
    /// - Returns: `nil` unless a status could contain it.
    package static func name(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        let name = scalars.first.map(isSign) == true ? scalars.dropFirst() : scalars[...]
        guard name.endIndex == end(of: name), text[name.startIndex...].utf8.count <= maximumBytes else { return nil }
        return String(name)
    }

    /// The form in which hashtags are stored and compared, as Mastodon's: without differences in letter case, width and
    /// accents, and without characters that no hashtag contains.
    package static func key(_ name: some StringProtocol) -> String {
        if name.utf8.allSatisfy(isPlain) { return String(name) }
        let folded = FoldedText.fold(String(name)).unicodeScalars
        var key = String.UnicodeScalarView()
        var bytes = 0
        for scalar in folded where isKept(scalar) {
            bytes += UTF8.width(scalar)
            // Some characters stand for more than ten.
            guard bytes <= maximumBytes else { break }
            key.append(scalar)
        }
        if key.isEmpty { return String(name).lowercased() }
        // What was dropped may have separated characters that compose.
        return key.count < folded.count ? self.key(String(key)) : String(key)
    }

    /// A name as written, in lowercase and canonically composed.
    package static func lowercased(_ name: String) -> String {
        (name.utf8.allSatisfy { $0 < 0x80 } ? name : name.precomposedStringWithCanonicalMapping).lowercased()
    }

    /// The distinct keys of hashtags.
    package static func keys(_ tags: [String]) -> Set<String> { Set(tags.map { key($0) }) }
}

extension Hashtag {
    /// Whether a hashtag begins with this character.
    static func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar == "#" || scalar == "＃" }

    /// Whether no hashtag begins after this character.
    static func isPrecluded(after scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // As in addresses, and in entities of HTML.
        case "/", "=", ")", "&", "#", "＃": true
        default: scalar.properties.isAlphabetic || scalar.properties.generalCategory == .decimalNumber
        }
    }

    /// The end of the name that a text begins with, as Mastodon finds it: word characters with at least one letter, or
    /// word characters and separators with at least one letter or separator between the first and the last character.
    /// - Returns: `nil` if the text does not begin with a name.
    static func end(of text: Substring.UnicodeScalarView) -> String.Index? {
        var (wordEnd, hasLetter, isWord) = (text.startIndex, false, true)
        var (end, isDivided) = (text.startIndex, false)
        for index in text.indices {
            let kind = Kind(text[index])
            guard kind != .other, kind.isWord || index > text.startIndex else { break }
            if kind.isWord {
                if isDivided { end = text.index(after: index) }
                if isWord { wordEnd = text.index(after: index) }
            } else {
                isWord = false
            }
            if isWord, kind == .letter { hasLetter = true }
            if index > text.startIndex, kind != .word { isDivided = true }
        }
        if end > text.startIndex { return end }
        return hasLetter ? wordEnd : nil
    }

    /// The role of a character in a hashtag.
    private enum Kind {
        case letter
        /// A digit or mark.
        case word
        case underscore
        /// A separator that a hashtag neither begins nor ends with.
        case separator
        case other

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "a"..."z", "A"..."Z": self = .letter
            case "0"..."9": self = .word
            case "_": self = .underscore
            case "\u{B7}", "\u{30FB}", "\u{200C}": self = .separator
            default: self = scalar.isASCII ? .other : Self.general(scalar.properties)
            }
        }

        var isWord: Bool { self == .letter || self == .word || self == .underscore }

        private static func general(_ properties: Unicode.Scalar.Properties) -> Kind {
            if properties.isAlphabetic { return .letter }
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: return .word
            default: return .other
            }
        }
    }

    /// Whether a byte of a name is the same in its key.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch Kind(scalar) {
        case .letter, .underscore, .separator: return true
        case .word: return scalar.properties.generalCategory == .decimalNumber || isThaiMark(scalar)
        // Text with a NUL is refused, as everywhere.
        case .other: return scalar == "\0"
        }
    }

    /// Marks of Thai without which words would differ.
    private static func isThaiMark(_ scalar: Unicode.Scalar) -> Bool { ("\u{E47}"..."\u{E4E}").contains(scalar) }
}
