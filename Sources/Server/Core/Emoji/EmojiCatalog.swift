import Synchronization

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
            for part in EmojiText.parts(of: text) {
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

    /// Letters, digits and underscores of ASCII; see ``EmojiText/isShortcode(_:)``.
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
