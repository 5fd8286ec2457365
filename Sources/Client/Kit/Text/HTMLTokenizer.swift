/// Splits HTML into tags and text, as leniently as a browser. Comments, and elements whose content is not text, such as
/// scripts, are left out. Works on scalars, because a combining mark after a bracket would hide it from a comparison by
/// characters. Each scalar is read a constant number of times.
struct HTMLTokenizer: Sequence, IteratorProtocol {
    enum Token: Equatable {
        /// Text, with its entities decoded.
        case text(String)
        case start(HTMLTag)
        /// The name of a closed element, in lowercase.
        case end(String)
    }

    /// Elements whose content is never shown as text.
    private static let hidden: Set<String> = [
        "script", "style", "title", "template", "iframe", "noscript", "noembed", "noframes", "textarea", "svg",
    ]

    private var rest: Substring.UnicodeScalarView

    init(_ html: String) { rest = Substring(html).unicodeScalars }

    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == "<" else { return text() }
            switch rest.dropFirst().first {
            case "!"?, "?"?: skipDeclaration()
            case "/"?: if let token = endTag() { return token }
            case let letter? where letter.properties.isAlphabetic && letter.isASCII: return startTag()
            default: return text()
            }
        }
        return nil
    }

    /// The text up to the next bracket. A bracket that starts no tag is text.
    private mutating func text() -> Token {
        let end = rest.dropFirst().firstIndex { $0 == "<" } ?? rest.endIndex
        defer { rest = rest[end...] }
        return .text(HTMLEntities.decoded(rest[..<end]))
    }

    private mutating func skipDeclaration() {
        if rest.starts(with: "<!--".unicodeScalars) {
            rest = rest.dropFirst(4)
            while !rest.isEmpty, !rest.starts(with: "-->".unicodeScalars) { rest = rest.dropFirst() }
            rest = rest.dropFirst(3)
        } else {
            rest = rest.drop { $0 != ">" }.dropFirst()
        }
    }

    private mutating func endTag() -> Token? {
        guard let end = rest.firstIndex(where: { $0 == ">" }) else { return remainder() }
        let name = Self.name(rest[..<end].dropFirst(2))
        rest = rest[end...].dropFirst()
        return name.isEmpty ? nil : .end(name)
    }

    private mutating func startTag() -> Token {
        var reader = HTMLTag.Reader(rest.dropFirst())
        guard let tag = reader.tag() else { return remainder() }
        rest = reader.rest
        if Self.hidden.contains(tag.name) { skip(to: tag.name) }
        return .start(tag)
    }

    /// Skips the content of an element.
    private mutating func skip(to name: String) {
        while let start = rest.firstIndex(where: { $0 == "<" }) {
            rest = rest[start...]
            if rest.dropFirst().first == "/", Self.name(rest.dropFirst(2).prefix(name.count + 1)) == name { return }
            rest = rest.dropFirst()
        }
        rest = rest[rest.endIndex...]
    }

    /// A tag without an end is text.
    private mutating func remainder() -> Token {
        defer { rest = rest[rest.endIndex...] }
        return .text(HTMLEntities.decoded(rest))
    }

    static func name(_ text: Substring.UnicodeScalarView) -> String {
        String(text.prefix { !$0.properties.isWhitespace && $0 != "/" && $0 != ">" }).lowercased()
    }
}

/// The beginning of an HTML element.
struct HTMLTag: Equatable {
    /// In lowercase.
    var name: String
    /// Values with their entities decoded, keyed by lowercase name. If a name is repeated, the first value counts.
    var attributes: [String: String] = [:]

    /// Whether the attribute `class` contains a word.
    func hasClass(_ word: String) -> Bool {
        let words = attributes["class"]?.unicodeScalars.split { $0.properties.isWhitespace } ?? []
        return words.contains { String($0) == word }
    }

    /// Reads a tag from behind its opening bracket.
    struct Reader {
        /// An element of a status has only a few.
        private static let maximumAttributes = 30

        private(set) var rest: Substring.UnicodeScalarView

        init(_ rest: Substring.UnicodeScalarView) { self.rest = rest }

        /// - Returns: `nil` if the tag does not end.
        mutating func tag() -> HTMLTag? {
            var tag = HTMLTag(name: HTMLTokenizer.name(rest))
            rest = rest.drop { !Self.endsName($0) }
            while true {
                rest = rest.drop { $0.properties.isWhitespace || $0 == "/" }
                guard let next = rest.first else { return nil }
                guard next != ">" else { break }
                guard let (name, value) = attribute() else { return nil }
                if tag.attributes.count < Self.maximumAttributes, tag.attributes[name] == nil {
                    tag.attributes[name] = value
                }
            }
            rest = rest.dropFirst()
            return tag
        }

        /// - Returns: `nil` if the value does not end.
        private mutating func attribute() -> (name: String, value: String)? {
            // An equals sign at the beginning belongs to the name.
            let end = rest.dropFirst().firstIndex { Self.endsName($0) || $0 == "=" } ?? rest.endIndex
            let name = rest[..<end]
            rest = rest[end...]
            let value = rest.drop { $0.properties.isWhitespace }
            guard value.first == "=" else { return (String(name).lowercased(), "") }
            rest = value.dropFirst().drop { $0.properties.isWhitespace }
            guard let text = self.value() else { return nil }
            return (String(name).lowercased(), HTMLEntities.decoded(text))
        }

        private mutating func value() -> Substring.UnicodeScalarView? {
            guard let quote = rest.first, quote == "\"" || quote == "'" else {
                let value = rest.prefix { !$0.properties.isWhitespace && $0 != ">" }
                rest = rest[value.endIndex...]
                return value
            }
            let inside = rest.dropFirst()
            guard let end = inside.firstIndex(of: quote) else { return nil }
            rest = inside[end...].dropFirst()
            return inside[..<end]
        }

        private static func endsName(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "/" || scalar == ">"
        }
    }
}

/// Decodes the character references of HTML.
enum HTMLEntities {
    private typealias Scalars = Substring.UnicodeScalarView

    /// The longest name below has 8 characters; numbers may have leading zeros.
    private static let maximumLength = 12

    /// The names for which servers have a use; others remain as they are.
    private static let named: [String: Unicode.Scalar] = {
        var named: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "hellip": "…", "mdash": "—", "ndash": "–",
            "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹",
            "rsaquo": "›", "bull": "•", "prime": "′", "Prime": "″", "trade": "™", "euro": "€", "larr": "←",
            "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "rArr": "⇒", "hArr": "⇔", "infin": "∞", "ne": "≠",
            "le": "≤", "ge": "≥", "asymp": "≈", "minus": "−", "radic": "√", "sum": "∑", "hearts": "♥", "check": "✓",
            "dagger": "†", "Dagger": "‡", "permil": "‰", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š",
            "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜", "ensp": " ", "emsp": " ", "thinsp": " ",
            "zwj": "\u{200D}", "zwnj": "\u{200C}", "lbrack": "[", "rbrack": "]", "lbrace": "{", "rbrace": "}",
            "num": "#", "excl": "!", "quest": "?", "colon": ":", "semi": ";", "comma": ",", "period": ".", "sol": "/",
            "bsol": "\\", "ast": "*", "plus": "+", "equals": "=", "dollar": "$", "percnt": "%", "commat": "@",
            "lpar": "(", "rpar": ")", "lowbar": "_", "grave": "`", "vert": "|", "NewLine": "\n", "Tab": "\t",
        ]
        for (index, name) in latin1.enumerated() { named[String(name)] = Unicode.Scalar(UInt8(0xA0 + index)) }
        // A line may be wrapped there, because a terminal has no narrow columns to fill.
        named["nbsp"] = " "
        return named
    }()

    /// The names of U+00A0 to U+00FF, in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
        uuml yacute thorn yuml
        """.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)

    /// The characters that browsers show for the numbers 128 to 159, from Windows-1252; 0 where they keep the number.
    private static let windows: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// The text with its references decoded. An unknown one stays as it is.
    static func decoded(_ text: Substring.UnicodeScalarView) -> String {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(where: { $0 == "&" }) {
            result.append(contentsOf: Substring(rest[..<start]))
            let (scalar, after) = reference(rest[start...])
            result.append(Character(scalar))
            rest = after
        }
        result.append(contentsOf: Substring(rest))
        return result
    }

    private static func reference(_ rest: Scalars) -> (Unicode.Scalar, Scalars) {
        let inside = rest.dropFirst().prefix(maximumLength).prefix { $0 != ";" && $0 != "&" && $0 != "<" }
        let after = rest[inside.endIndex...]
        guard after.first == ";" else { return ("&", rest.dropFirst()) }
        let name = String(inside)
        if let scalar = named[name] { return (scalar, after.dropFirst()) }
        if name.hasPrefix("#"), let scalar = number(name.dropFirst()) { return (scalar, after.dropFirst()) }
        return ("&", rest.dropFirst())
    }

    private static func number(_ digits: Substring) -> Unicode.Scalar? {
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10) else { return nil }
        if value == 0xA0 { return " " }
        guard (0x80...0x9F).contains(value) else { return Unicode.Scalar(value) }
        let replacement = windows[Int(value - 0x80)]
        return Unicode.Scalar(replacement == 0 ? value : replacement)
    }
}
