import Synchronization

/// An image that replaces `:shortcode:` in texts.
package struct CustomEmoji: Sendable, Equatable {
    /// The maximum number of emoji.
    package static let maximumCount = 500
    /// The maximum size of an image in bytes.
    package static let maximumBytes = 256 * 1024
    /// The maximum size of all images together in bytes. They are kept in memory.
    package static let maximumTotalBytes = 16 << 20
    /// The maximum width and height in pixels.
    package static let maximumSide = 512
    /// The accepted formats.
    package static let formats: Set<MediaFormat> = [.png, .gif, .webp]

    /// Letters, digits and underscores of ASCII; see ``EmojiShortcode/isShortcode(_:)``.
    package let shortcode: String
    package let format: MediaFormat
    /// The beginning of the SHA-256 of the content, in hexadecimal digits.
    package let hash: String
    package let content: [UInt8]

    package init(shortcode: String, format: MediaFormat, hash: String, content: [UInt8]) {
        self.shortcode = shortcode
        self.format = format
        self.hash = hash
        self.content = content
    }

    /// The path of the image. It changes with the content.
    package var path: String { "/emoji/" + hash + "/" + fileName }

    package var fileName: String { shortcode + "." + format.fileExtension }
}

/// A snapshot of all custom emoji.
package struct EmojiSet: Sendable, Equatable {
    /// Sorted by shortcode.
    package let all: [CustomEmoji]
    private let byShortcode: [String: CustomEmoji]

    /// - Parameter emoji: Emoji with distinct shortcodes; of two with the same one, the first is kept.
    package init(_ emoji: [CustomEmoji] = []) {
        byShortcode = Dictionary(emoji.map { ($0.shortcode, $0) }) { first, _ in first }
        all = byShortcode.values.sorted { $0.shortcode < $1.shortcode }
    }

    package var isEmpty: Bool { all.isEmpty }

    package subscript(shortcode: String) -> CustomEmoji? { byShortcode[shortcode] }

    /// The emoji in texts, each once, in the order of their first use.
    package func used(in texts: [String]) -> [CustomEmoji] {
        // Most servers have no emoji, and most texts contain none.
        guard !isEmpty else { return [] }
        var used: [CustomEmoji] = []
        var seen: Set<String> = []
        for text in texts {
            for part in EmojiShortcode.parts(of: text) {
                guard case .shortcode(let code) = part, let emoji = self[String(code)],
                    seen.insert(emoji.shortcode).inserted
                else { continue }
                used.append(emoji)
            }
        }
        return used
    }
}

/// The custom emoji of the running server, which can change.
package final class EmojiCatalog: Sendable {
    private let emoji = Mutex(EmojiSet())

    package init() {}

    package var current: EmojiSet { emoji.withLock { $0 } }

    /// - Returns: Whether anything changed. The change log must then get an entry after this call, so that no page with the
    ///   former emoji stays in a cache.
    package func replace(with new: EmojiSet) -> Bool {
        emoji.withLock { emoji in
            guard emoji != new else { return false }
            emoji = new
            return true
        }
    }
}

/// Finds `:shortcode:` in texts.
package enum EmojiShortcode {
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
