import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The pages of the web reader: the public timeline, the timelines of members, profiles, hashtags, single statuses and
/// search.
struct PageController: Sendable {
    static let policy = """
        default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'self'; script-src 'self'; \
        connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    let statuses: StatusStore
    let timelines: TimelineStore
    let tags: TagStore
    let accounts: AccountStore
    let finder: Finder
    let relationships: RelationshipStore
    let lists: ListStore
    let tagFollows: FollowedTagStore
    let discovery: DiscoveryStore
    let timelineSources: HomeTimelineCache
    let filters: FilterCache
    let cache: PageCache
    let reader: PageAssets
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let settings: ReloadableSettings

    private static let headers: HTTPFields = [
        .cacheControl: "no-cache", .contentSecurityPolicy: policy, .vary: "Cookie, Accept-Language, Accept-Encoding",
    ]

    func addEndpoints(to endpoints: Endpoints) {
        addTimelines(to: endpoints)
        addProfiles(to: endpoints)
        addStatuses(to: endpoints)
        endpoints.get("/search", .open, use: search)
        endpoints.get("/about", .open, use: about)
    }

    /// Adds the content of a page, and returns what it depends on.
    typealias Fill<Result> = @Sendable (inout PageContext, Request, RequestContext) async throws -> Result

    /// A page that is kept in memory.
    func page(_ fill: @escaping Fill<CacheInvalidation>) -> CachedPageResponse {
        CachedPageResponse(
            cache: cache, type: "text/html; charset=utf-8", headers: Self.headers,
            key: { [reader, baseURL, settings] request, context in
                // The revision, because a page may be built after the settings have changed again. Some tokens of an
                // account do not see its relationships.
                let (version, language) = (
                    try reader.edition().version, reader.language(for: request, context).rawValue
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
}

extension PageController {
    /// A page with the navigation, but without content.
    func newPage(for request: Request, _ context: RequestContext) throws -> PageContext {
        try reader.page(for: request, context, base: try baseURL.text(for: request), emoji: emoji.current)
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
