import FeedCore

/// The context in which a response writes Mastodon API entities; created per response, since URLs depend on the
/// request.
struct EntityContext: Sendable {
    /// This server's address without a trailing slash.
    let base: String
    /// The custom emoji that texts may contain.
    let emoji: EmojiSet
    /// The filters that mark the statuses of the response.
    var filters = ViewerFilters.none
}

/// Creates the contexts in which responses write their entities.
struct EntityContexts: Sendable {
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let filters: FilterCache

    func make(for request: Request) throws -> EntityContext { make(base: try baseURL.text(for: request)) }

    /// - Parameter base: This server's address without a trailing slash.
    func make(base: String) -> EntityContext { EntityContext(base: base, emoji: emoji.current) }

    /// The context of a response with statuses, which are marked by the viewer's filters.
    /// - Parameter context: The place where the statuses are shown; `nil` if it is unknown.
    func make(
        for request: Request, filtering context: Filter.Context?, for viewer: Viewer?
    ) async throws -> EntityContext {
        var entities = try make(for: request)
        entities.filters = try await filters.of(viewer, in: context)
        return entities
    }
}
