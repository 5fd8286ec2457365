import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The timelines of the Mastodon API.
struct TimelineController: Sendable {
    /// The maximum number of hashtags in each of `any`, `all` and `none`.
    private static let tagLimit = 4

    let templates: StatusJSONCache
    let lists: ListStore
    let accounts: AccountStore
    let pages: PageCache
    let timelineSources: HomeTimelineCache
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        add(Paths.publicTimeline, .optional(.readStatuses), to: endpoints, publicTimeline)
        add(Paths.homeTimeline, .account(.readStatuses), to: endpoints) { _, context in
            .home(try context.require().account.id)
        }
        add(Paths.tagTimeline + "/:tag", .optional(.readStatuses), to: endpoints, tag)
        add(Paths.listTimeline + "/:id", .account(.readLists), to: endpoints, list)
        add(Paths.accounts + "/:id/statuses", .optional(.readStatuses), to: endpoints, account)
        add(Paths.favourites, .account(.readFavourites), to: endpoints) { _, context in
            .marked(.favourite, by: try context.require().account.id)
        }
        add(Paths.bookmarks, .account(.readBookmarks), to: endpoints) { _, context in
            .marked(.bookmark, by: try context.require().account.id)
        }
    }

    @Sendable private func publicTimeline(_ request: Request, _ context: RequestContext) throws -> Timeline? {
        let query = try request.query
        // No status is remote.
        guard query.flag("remote") != true else { return nil }
        return query.flag("only_media") == true ? .publicMedia : .public
    }

    @Sendable private func tag(_ request: Request, _ context: RequestContext) throws -> Timeline? {
        let query = try request.query
        func tags(_ name: String) -> [String] {
            query.all(name).prefix(Self.tagLimit).map { Self.plain($0) }
        }
        var filter = TagFilter(
            any: [Self.plain(try context.segment("tag"))] + tags("any"), all: tags("all"), none: tags("none"))
        filter.onlyMedia = query.flag("only_media") ?? false
        return query.flag("remote") == true ? nil : .tags(filter)
    }

    /// A change of the list affects its pages.
    @Sendable private func list(_ request: Request, _ context: RequestContext) async throws -> Timeline? {
        let (viewer, id) = (try context.require(), try context.id())
        guard let list = try await lists.list(id, of: viewer.account.id) else {
            throw FeedError.notFound
        }
        return .list(list)
    }

    /// A suspension affects all pages.
    @Sendable private func account(_ request: Request, _ context: RequestContext) async throws -> Timeline? {
        guard let account = try await accounts.account(id: try context.id()), account.suspendedAt == nil
        else {
            throw FeedError.notFound
        }
        let query = try request.query
        var filter = AccountFilter()
        filter.excludesReplies = query.flag("exclude_replies") ?? false
        filter.excludesBoosts = query.flag("exclude_reblogs") ?? false
        filter.onlyMedia = query.flag("only_media") ?? false
        filter.onlyPinned = query.flag("pinned") ?? false
        filter.tag = query["tagged"].map { Self.plain($0) }
        return .account(account.id, filter)
    }

    private static func plain(_ tag: String) -> String {
        Hashtag.key(tag.unicodeScalars.first == "#" ? String(tag.unicodeScalars.dropFirst()) : tag)
    }
}

extension TimelineController {
    private static let headers: HTTPFields = [
        .cacheControl: "private, no-cache", .vary: "Authorization, Cookie, Accept-Encoding",
    ]

    /// Adds an endpoint for a timeline.
    /// - Parameter timeline: Called for a page that is not in memory; `nil` for an empty timeline.
    private func add(
        _ path: String, _ access: AccessRule, to endpoints: Endpoints,
        _ timeline: @escaping @Sendable (Request, RequestContext) async throws -> Timeline?
    ) {
        let page = CachedPageResponse(
            cache: pages, type: "application/json; charset=utf-8", headers: Self.headers,
            key: { [address = contexts.baseURL] in try PageKey($0, address, viewer: $1.viewer?.account.id) },
            refresh: { request, context, stale in
                let page = try Pagination(request.query, limits: settings.limits)
                return try await make(
                    try await timeline(request, context), page, request, viewer: context.viewer, stale: stale)
            })
        endpoints.page(path, access, page)
    }

    private func make(
        _ timeline: Timeline?, _ page: Pagination, _ request: Request, viewer: Viewer?, stale: StalePage?
    ) async throws -> (CachedPage, CacheInvalidation) {
        guard let timeline else { return (CachedPage(body: ByteBuffer(string: "[]"), link: nil), CacheInvalidation()) }
        let base = try contexts.baseURL.text(for: request)
        let account = viewer?.account.id
        // Before the page: a follow in between affects the page.
        let sources = try await timelineSources.of(timeline)
        let filters = try await contexts.filters.of(viewer, in: timeline.filterContext)
        let encoded = try await templates.page(
            timeline, page, base: base, viewer: account, filters, sources: sources, stale: stale)
        let links = PaginationLinks(base: base, request: request).header(
            newest: encoded.newest, oldest: encoded.oldest, hasOlder: encoded.hasOlder)
        let body = ByteBuffer(bytes: encoded.json.bytes)
        return (CachedPage(body: body, link: links.value, homeEntries: encoded.homeEntries), encoded.dependencies)
    }
}
