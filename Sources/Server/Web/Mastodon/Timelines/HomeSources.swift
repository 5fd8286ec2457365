import FeedCore
import FeedStore

/// The sources of the statuses in home timelines, by account.
struct HomeSources: Sendable {
    /// The number of authors up to which a cached home timeline is kept when other accounts post.
    private static let maximumAuthors = 10_000

    let statuses: StatusStore
    let cache: ChangeLogCache<Int64, TimelineSources>

    /// Must be read before the timeline, because a follow in between affects it.
    func of(_ account: Int64) async throws -> TimelineSources {
        try await cache.value(for: account, cost: \.cost) {
            var dependencies = ChangeDependencies()
            dependencies.viewer = account
            return (try await statuses.homeSources(of: account, limit: Self.maximumAuthors), dependencies)
        }
    }
}
