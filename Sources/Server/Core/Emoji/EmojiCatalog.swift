import Synchronization

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
