import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// Makes the pages of timelines, profiles and statuses, which are kept in memory, and those of search and about the
/// server, which are not.
struct PageController: Sendable {
    static let policy = """
        default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'self'; script-src 'self'; \
        connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    let timelines: TimelineStore
    let accounts: AccountStore
    let timelineSources: HomeTimelineCache
    let filters: FilterCache
    let cache: PageCache
    let assets: PageAssets
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let settings: ReloadableSettings

    private static let headers: HTTPFields = [
        .cacheControl: "no-cache", .contentSecurityPolicy: policy, .vary: "Cookie, Accept-Language, Accept-Encoding",
    ]

    /// Adds the content of a page, and returns what it depends on.
    typealias Fill<Result> = @Sendable (inout PageContext, Request, RequestContext) async throws -> Result

    /// A page that is kept in memory.
    func page(_ fill: @escaping Fill<CacheInvalidation>) -> CachedPageResponse {
        CachedPageResponse(
            cache: cache, type: "text/html; charset=utf-8", headers: Self.headers,
            key: { [assets, baseURL, settings] request, context in
                // The revision, because a page may be built after the settings have changed again. Some tokens of an
                // account do not see its relationships.
                let (version, language) = (
                    try assets.edition().version, assets.language(for: request, context).rawValue
                )
                let relationships = context.readsRelationships ? " relationships" : ""
                let edition = "\(settings.revision) \(version) \(language)\(relationships)"
                return try PageKey(request, baseURL, viewer: context.reader?.id, edition: edition)
            },
            build: { request, context in
                var page = try newPage(for: request, context)
                let dependencies = try await fill(&page, request, context)
                let body = ByteBuffer(bytes: page.html())
                return (CachedPage(body: body, link: nil, isPrivate: context.reader != nil), dependencies)
            })
    }

    /// A page of a timeline.
    /// - Parameter describe: Adds everything but the statuses, and returns the timeline.
    func timeline(_ describe: @escaping Fill<Timeline>) -> CachedPageResponse {
        page { shown, request, context in
            let (page, path) = (try Pagination(request.query, limits: settings.limits), request.uri.path)
            let viewer = context.reader?.id
            let timeline = try await describe(&shown, request, context)
            let sources = try await timelineSources.of(timeline)
            let found = try await timelines.timeline(timeline, page: page, for: viewer)
            let pinned = CacheInvalidation(showing: shown.pinned, to: viewer)
            let rest = found.entries.filter { !pinned.statuses.contains($0.id) }
            // Members find what they have marked, whatever their filters say.
            if let place = timeline.filterContext { shown.filters = try await filters.of(context.viewer, in: place) }
            shown.show(rest, names: try await ReplyNames(of: rest, in: accounts))
            // Search engines index each post, but not the older pages, whose content changes.
            if request.uri.query != nil { shown.setCanonical(nil) }
            if let oldest = found.oldest, found.hasOlder { shown.set(.older, path + "?max_id=\(oldest)") }
            shown.set(.newest, found.newest.map { String($0) })
            if let newest = found.newest, page.maxID != nil || page.minID != nil {
                shown.set(.newer, path + "?min_id=\(newest)")
            }
            var dependencies = CacheInvalidation(found, of: timeline, page, sources: sources, viewer: viewer)
            dependencies.accounts.formUnion(shown.accounts.union(pinned.accounts))
            dependencies.statuses.formUnion(pinned.statuses)
            return dependencies
        }
    }

    /// A page with the navigation, but without content.
    func newPage(for request: Request, _ context: RequestContext) throws -> PageContext {
        try assets.page(for: request, context, base: try baseURL.text(for: request), emoji: emoji.current)
    }

    /// Responds with a page that is not kept in memory.
    func response(with page: PageContext, _ context: RequestContext) -> Response {
        var headers = Self.headers
        if context.reader != nil { headers[.cacheControl] = "private, no-cache" }
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: page.html())))
    }
}

extension RequestContext {
    /// The account whose page is shown. Pages are kept under its id, so a token that may not read statuses gets none.
    func requireReader() throws(FeedError) -> Account {
        guard let reader else { throw .notAllowed }
        return reader
    }
}
