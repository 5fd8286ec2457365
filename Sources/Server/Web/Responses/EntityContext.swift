import FeedAPI
import FeedCore

/// Writes the entities of the Mastodon API. One of these is made for each answer, since addresses depend on who asks.
struct EntityContext: Sendable {
    /// This server's address without a trailing slash.
    let base: String
}
