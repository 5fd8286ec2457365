import FeedAPI
import FeedCore

/// The context in which a response writes Mastodon API entities; one per response, since addresses depend on the
/// request.
struct EntityContext: Sendable {
    /// This server's address without a trailing slash.
    let base: String
}
