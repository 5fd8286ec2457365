import FeedCore
import FeedStore

/// The filters of accounts, which are prepared only once.
struct FilterCache: Sendable {
    let store: FilterStore
    let cache: ChangeLogCache<Int64, FilterMatcher>
    let clock: WallClock

    /// - Parameter context: The place where statuses are shown; `nil` if it is unknown.
    func of(_ viewer: Viewer?, in context: Filter.Context?) async throws -> ViewerFilters {
        guard let account = viewer?.account.id else { return .none }
        let filters = try await cache.value(for: account, cost: \.cost) {
            (FilterMatcher(try await store.filters(of: account)), .filters(of: account))
        }
        return ViewerFilters(filters: filters, context: context, now: clock.now(), viewer: account)
    }

    /// The filters of several accounts: those that are not cached are read together. The caller bounds their number,
    /// because all are in memory at the same time.
    func of(_ accounts: [Int64]) async throws -> [Int64: FilterMatcher] {
        try await cache.values(for: accounts, cost: \.cost) { missing in
            let stored = try await store.filters(of: missing)
            let pairs = missing.map { ($0, (FilterMatcher(stored[$0] ?? []), CacheInvalidation.filters(of: $0))) }
            return Dictionary(pairs) { first, _ in first }
        }
    }
}

/// The viewer's filters, and where a response shows statuses.
struct ViewerFilters: Sendable {
    /// For responses without filters: those to anonymous visitors, and those that contain no statuses.
    static let none = ViewerFilters(filters: .none, context: nil, now: 0)

    let filters: FilterMatcher
    /// `nil` if it is unknown, as in the response to a favourite. All filters are then included, and the app decides.
    let context: Filter.Context?
    /// Milliseconds since 1970.
    let now: Int64

    /// The account whose filters these are.
    var viewer: Int64?

    func matches(_ status: Status) -> [FilterMatch] {
        filters.isEmpty ? [] : filters.matches(status, in: context, at: now)
    }
}

extension CacheInvalidation {
    /// The dependencies of a value that depends only on the filters of an account.
    fileprivate static func filters(of account: Int64) -> CacheInvalidation {
        var dependencies = CacheInvalidation()
        dependencies.filters = account
        return dependencies
    }
}

extension Timeline {
    /// The context of the filters that apply to the timeline.
    var filterContext: Filter.Context? {
        switch self {
        case .home, .list: .home
        case .public, .publicMedia, .tags: .public
        case .account: .account
        case .conversations: .thread
        case .marked, .classic: nil
        }
    }
}
