/// Keeps the stored pages of an account up to date with the change feed: edits and deletions reach all of them, not only
/// the page that is read again.
public struct OfflineSync: Sendable {
    /// How long a server without a change feed is not asked again, in milliseconds.
    static let pause: Int64 = 86_400_000
    private static let changesPerPage = 200
    /// What remains after so many pages is left to the next sync.
    private static let maximumPages = 10

    private let timelines: OfflineTimelines
    private let client: FeedClient
    private let owner: String

    /// - Parameter owner: The server and the account, as in ``OfflineTimelines``.
    public init(_ timelines: OfflineTimelines, with client: FeedClient, owner: String) {
        (self.timelines, self.client, self.owner) = (timelines, client, owner)
    }

    /// Applies the changes since the last call. The first call only stores the position. A server without a change feed
    /// is asked once a day.
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: ``FeedClientError``.
    public func run(now: Int64) async throws {
        let state = try await timelines.syncState(owner: owner)
        if let state, state.position == nil, (0..<Self.pause).contains(now.subtractingSaturating(state.time)) { return }
        var position = state?.position
        for _ in 0..<Self.maximumPages {
            guard let page = try await page(since: position) else {
                return try await timelines.apply([], .init(position: nil, time: now), owner: owner)
            }
            try await timelines.apply(page.changes, .init(position: page.position, time: now), owner: owner)
            guard page.hasMore, page.position != position else { return }
            position = page.position
        }
    }

    /// - Returns: `nil` if the server has no change feed.
    private func page(since position: String?) async throws -> ChangePage? {
        do {
            return try await client.changes(since: position, limit: Self.changesPerPage)
        } catch let error as FeedClientError where error.code == .notFound || error.status == 405 {
            return nil
        }
    }
}
