package import FeedCore

/// Everything that a page depends on, except the change log.
package struct PageKey: Hashable, Sendable {
    let base: String
    /// The path and the query.
    let address: String
    let viewer: Int64?
    /// Other content of the page, such as the settings of the site.
    let edition: String

    init(base: String, address: String, viewer: Int64? = nil, edition: String = "") {
        (self.base, self.address, self.viewer, self.edition) = (base, address, viewer, edition)
    }

    /// The key of the page at the address of a request.
    init(
        _ request: Request, _ server: BaseURL, viewer: Int64? = nil, edition: String = ""
    ) throws(FeedError) {
        self.init(
            base: try server.text(for: request), address: request.uri.string, viewer: viewer, edition: edition)
    }

    /// The approximate size in bytes.
    var cost: Int { 4 * (base.utf8.count + address.utf8.count + edition.utf8.count) }
}

/// A page that a change has affected.
typealias StalePage = ChangeLogCache<PageKey, CachedPage>.Entry

/// The pages in memory, which are valid until something that they show changes. Requests for a
/// page that is being built wait for the same bytes.
package final class PageCache: Sendable {
    private let pages: ChangeLogCache<PageKey, CachedPage>

    /// - Parameters:
    ///   - limit: Bytes.
    ///   - name: The name of the cache in the metrics.
    package init(log: LogPosition, limit: Int, name: String) {
        pages = ChangeLogCache(log: log, limit: limit, name: name)
    }

    /// The page with this key, if it is in memory and valid.
    func cached(_ key: PageKey) -> CachedPage? { pages.cached(key, countsHit: true) }

    /// The page with this key. It is built only once, even if many requests wait for it.
    func page(
        _ key: PageKey, build: @escaping @Sendable (StalePage?) async throws -> (CachedPage, ChangeDependencies)
    ) async throws -> CachedPage {
        try await pages.value(
            for: key, cost: { $0.cost + key.cost },
            refresh: { stale in
                // The build belongs to the cache: it continues when its first client leaves.
                try await Task { try await build(stale) }.value
            })
    }
}
