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
