/// Finds `:shortcode:` in texts.
package enum EmojiText {
    /// The range of the length of a shortcode.
    package static let lengths = 2...64

    package enum Part: Equatable, Sendable {
        case plain(Substring)
        /// A shortcode without its colons. There may be no emoji of this name.
        case shortcode(Substring)
    }

    /// Whether a text can be used as a shortcode.
    package static func isShortcode(_ text: some StringProtocol) -> Bool {
        lengths.contains(text.utf8.count) && text.unicodeScalars.allSatisfy(isLetter)
    }

    /// The parts of a text. As in Mastodon, a shortcode neither follows nor precedes a letter, a digit or a colon.
    package static func parts(of text: String) -> [Part] {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text.isEmpty ? [] : [.plain(text[...])] }
        let scalars = text.unicodeScalars
        var parts: [Part] = []
        var (start, position) = (scalars.startIndex, scalars.startIndex)
        while let colon = scalars[position...].firstIndex(where: { $0 == ":" }) {
            position = scalars.index(after: colon)
            guard let code = shortcode(after: colon, in: text) else { continue }
            if start < colon { parts.append(.plain(text[start..<colon])) }
            parts.append(.shortcode(code))
            start = scalars.index(after: code.endIndex)
            position = start
        }
        if start < scalars.endIndex { parts.append(.plain(text[start...])) }
        return parts
    }

    private static func shortcode(after colon: String.Index, in text: String) -> Substring? {
        let scalars = text.unicodeScalars
        if colon > scalars.startIndex, isWord(scalars[scalars.index(before: colon)]) { return nil }
        let first = scalars.index(after: colon)
        // The limit keeps the time linear in the length of the text.
        let limit =
            scalars.index(first, offsetBy: lengths.upperBound + 1, limitedBy: scalars.endIndex) ?? scalars.endIndex
        guard let end = scalars[first..<limit].firstIndex(where: { !isLetter($0) }), scalars[end] == ":",
            isShortcode(text[first..<end])
        else { return nil }
        let next = scalars.index(after: end)
        if next < scalars.endIndex, isWord(scalars[next]) { return nil }
        return text[first..<end]
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ":" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
