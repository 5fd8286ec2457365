/// An address of the web, a mention or a hashtag in plain text.
package struct TextLink: Equatable {
    package enum Kind {
        case address, mention, hashtag
        /// An address without its scheme.
        case word
    }

    package let kind: Kind
    package let range: Range<String.Index>

    /// The links of a line, in order. The work is linear.
    /// - Parameter words: Addresses without a scheme, in lowercase; they are links where a word begins.
    package static func all(in line: Substring, words: Set<String> = []) -> [TextLink] {
        let scalars = line.unicodeScalars
        var links: [TextLink] = []
        var (index, last) = (scalars.startIndex, Unicode.Scalar?.none)
        while index < scalars.endIndex {
            let scalar = scalars[index]
            if let (kind, end) = link(in: scalars[index...], after: last)
                ?? word(in: scalars[index...], after: last, words)
            {
                links.append(TextLink(kind: kind, range: index..<end))
                (index, last) = (end, nil)
            } else {
                (index, last) = (scalars.index(after: index), scalar)
            }
        }
        return links
    }

    /// The link at the start of a text.
    private static func link(
        in text: Substring.UnicodeScalarView, after last: Unicode.Scalar?
    ) -> (Kind, String.Index)? {
        guard let first = text.first, "hH@#".unicodeScalars.contains(first), !(last.map(isWord) ?? false) else {
            return nil
        }
        switch first {
        case "@": return mentionEnd(in: text).map { (.mention, $0) }
        case "#": return hashtagEnd(in: text).map { (.hashtag, $0) }
        default: return addressEnd(in: text).map { (.address, $0) }
        }
    }

    private static func word(
        in text: Substring.UnicodeScalarView, after last: Unicode.Scalar?, _ words: Set<String>
    ) -> (Kind, String.Index)? {
        guard !words.isEmpty, last?.properties.isWhitespace ?? true else { return nil }
        let address = trimmed(text.prefix { !LineBreaking.endsAddress($0) })
        return words.contains(String(address).lowercased()) ? (.word, address.endIndex) : nil
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    // MARK: Addresses

    private static let schemes = ["https://", "http://"].map { Array($0.unicodeScalars) }

    private static func addressEnd(in text: Substring.UnicodeScalarView) -> String.Index? {
        for scheme in schemes {
            let prefix = text.prefix(scheme.count)
            guard prefix.elementsEqual(scheme, by: { $0 == $1 || $0.properties.lowercaseMapping == String($1) }) else {
                continue
            }
            let rest = text[prefix.endIndex...]
            let address = trimmed(rest.prefix { !LineBreaking.endsAddress($0) })
            return address.isEmpty ? nil : address.endIndex
        }
        return nil
    }

    /// Without the punctuation of the sentence, and without the brackets around the address.
    private static func trimmed(_ address: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var address = address
        var unclosed = address.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
        while let last = address.last {
            if last == ")", unclosed < 0 {
                unclosed += 1
            } else if !".,:;!?'…]}".unicodeScalars.contains(last) {
                break
            }
            address.removeLast()
        }
        return address
    }

    // MARK: Names

    /// `@name` or `@name@server`.
    private static func mentionEnd(in text: Substring.UnicodeScalarView) -> String.Index? {
        guard let name = nameEnd(in: text.dropFirst()) else { return nil }
        guard text[name...].first == "@", let server = nameEnd(in: text[name...].dropFirst()) else { return name }
        return server
    }

    /// The end of a name or a host, which do not end with a dot or a dash.
    private static func nameEnd(in text: Substring.UnicodeScalarView) -> String.Index? {
        var name = text.prefix { isWord($0) || $0 == "." || $0 == "-" || $0.value > 0x7F && $0.properties.isAlphabetic }
        while let last = name.last, last == "." || last == "-" { name.removeLast() }
        return name.isEmpty ? nil : name.endIndex
    }

    /// A hashtag has at least one letter.
    private static func hashtagEnd(in text: Substring.UnicodeScalarView) -> String.Index? {
        let name = text.dropFirst().prefix { scalar in
            isWord(scalar) || scalar.value > 0x7F && (scalar.properties.isAlphabetic || isMark(scalar))
        }
        return name.contains { $0.properties.isAlphabetic } ? name.endIndex : nil
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber: true
        default: false
        }
    }
}

/// Makes text of a terminal a link (OSC 8), as most terminals since 2017 understand.
package enum Hyperlink {
    private static let terminals: Set<String> = [
        "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby",
    ]
    private static let types = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"]
    private static let minimumVTE = 5000
    private static let minimumKonsole = 200_400

    /// Whether a terminal shows links, as its environment says. A terminal within another one would have to pass them on.
    /// - Parameter environment: `FORCE_HYPERLINK=1` and `0` decide, as in other programs.
    package static func isSupported(_ environment: [String: String]) -> Bool {
        if let forced = environment["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
        guard environment["TMUX"] == nil, environment["STY"] == nil else { return false }
        if environment["KITTY_WINDOW_ID"] != nil || environment["WT_SESSION"] != nil { return true }
        if let program = environment["TERM_PROGRAM"], terminals.contains(program) { return true }
        if let type = environment["TERM"], types.contains(where: type.hasPrefix) { return true }
        let versions = [("VTE_VERSION", minimumVTE), ("KONSOLE_VERSION", minimumKonsole)]
        return versions.contains { name, minimum in environment[name].flatMap { Int($0) } ?? 0 >= minimum }
    }

    /// The text as a link, or unchanged if it is not a web address.
    package static func text(_ text: String, to address: String) -> String {
        let bytes = address.utf8
        guard ["https://", "http://"].contains(where: { bytes.starts(with: $0.utf8) }) else { return text }
        return "\u{1B}]8;;\(encoded(bytes))\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }

    /// Everything but printable ASCII is percent-encoded, so that it cannot end the sequence.
    private static func encoded(_ bytes: String.UTF8View) -> String {
        let digits = Array("0123456789ABCDEF")
        return bytes.reduce(into: "") { result, byte in
            if (0x21...0x7E).contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
    }
}
