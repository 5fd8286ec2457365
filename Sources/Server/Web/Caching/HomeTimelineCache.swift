import FeedCore
import FeedStore

/// Caches where the statuses of home timelines come from, by account. The sources of other timelines are not cached.
struct HomeTimelineCache: Sendable {
    /// The number of authors up to which a cached home timeline is kept when other accounts post.
    private static let maximumAuthors = 10_000

    let timelines: TimelineStore
    let lists: ListStore
    let homes: ChangeLogCache<Int64, TimelineSources>

    /// Must be read before the timeline, because a follow in between affects it.
    func of(_ timeline: Timeline) async throws -> TimelineSources {
        switch timeline {
        case .home(let account): try await home(of: account)
        case .list(let list): TimelineSources(authors: try await lists.memberIDs(of: list.id))
        default: TimelineSources()
        }
    }

    private func home(of account: Int64) async throws -> TimelineSources {
        try await homes.value(for: account, cost: \.cost) {
            var dependencies = CacheInvalidation()
            dependencies.viewer = account
            return (try await timelines.homeSources(of: account, limit: Self.maximumAuthors), dependencies)
        }
    }
}

/// The entries of the newest page of a home timeline. When statuses are added, the page is refreshed from them.
struct HomeEntries: Sendable {
    /// The maximum number of entries on the page, which the configuration can change.
    let limit: Int
    /// Newest first, with the first one of the following page.
    let entries: [MarkedEntry]

    /// - Returns: `nil` if the page is another one, or reading stopped before it was full.
    init?(_ page: Page<ListedStatus>, of timeline: Timeline, _ pagination: Pagination) {
        guard case .home = timeline, pagination == Pagination(limit: pagination.limit), !page.endsEarly else {
            return nil
        }
        limit = pagination.limit
        entries = page.entries.map(\.entry) + (page.following.map { [$0.entry] } ?? [])
    }
}

extension StatusJSONCache {
    /// The newest page of a home timeline, if the changes since an earlier one have only added entries.
    func refreshed(
        _ page: Pagination, sources: TimelineSources, from stale: StalePage, known: @escaping KnownStatuses
    ) async throws -> Page<ListedStatus>? {
        let sequence = log.sequence
        guard let home = sources.home, let earlier = stale.value.homeEntries, earlier.limit == page.limit,
            // Most pages that cannot be refreshed need no query to find out.
            let additions = stale.additions(upTo: sequence, in: log)
        else { return nil }
        return try await timelines.refreshedHome(
            home, from: earlier.entries, limit: page.limit,
            additions: { [log] in $0 == sequence ? additions : stale.additions(upTo: $0, in: log) }, known: known)
    }
}
