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

    /// What browsers make of the numbers 128 to 159, which Windows-1252 defines; 0 where they keep the number.
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
