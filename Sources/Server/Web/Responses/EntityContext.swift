import FeedAPI
import FeedCore

/// The context in which a response writes Mastodon API entities; created per response, since URLs depend on the
/// request.
struct EntityContext: Sendable {
    /// This server's address without a trailing slash.
    let base: String
    /// The custom emoji that texts may contain.
    let emoji: EmojiSet
    /// What marks the statuses of the response.
    var filters = ViewerFilters.none
}
