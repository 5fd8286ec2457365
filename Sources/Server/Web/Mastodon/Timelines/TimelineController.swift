import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// The timelines of the Mastodon API.
struct TimelineController: Sendable {
    /// The maximum number of hashtags in each of `any`, `all` and `none`.
    private static let tagLimit = 4
    /// The number of authors up to which a cached home timeline is kept when other accounts post.
    private static let maximumAuthors = 10_000

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.publicTimeline, .optional(.readStatuses), use: publicTimeline)
        endpoints.get(Paths.homeTimeline, .account(.readStatuses), use: home)
        endpoints.get("/api/v1/timelines/tag/:tag", .optional(.readStatuses), use: tag)
        endpoints.get("/api/v1/timelines/list/:id", .account(.readLists), use: list)
        endpoints.get("/api/v1/accounts/:id/statuses", .optional(.readStatuses), use: account)
        endpoints.get("/api/v1/favourites", .account(.readFavourites)) { try await marked(.favourite, $0, $1) }
        endpoints.get("/api/v1/bookmarks", .account(.readBookmarks)) { try await marked(.bookmark, $0, $1) }
    }

    @Sendable func publicTimeline(_ request: Request, _ context: FeedContext) async throws -> Response {
        let query = try request.query
        let timeline = query.flag("only_media") == true ? Timeline.publicMedia : .public
        // No status is remote.
        return try await respond(with: query.flag("remote") == true ? nil : timeline, to: request, context)
    }

    @Sendable func home(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        return try await respond(with: .home(viewer.account.id), to: request, context)
    }

    @Sendable func tag(_ request: Request, _ context: FeedContext) async throws -> Response {
        let query = try request.query
        func tags(_ name: String) -> [String] {
            query.all(name).prefix(Self.tagLimit).map { Self.plain($0) }
        }
        var filter = TagFilter(
            any: [Self.plain(try context.segment("tag"))] + tags("any"), all: tags("all"), none: tags("none"))
        filter.onlyMedia = query.flag("only_media") ?? false
        return try await respond(with: query.flag("remote") == true ? nil : .tags(filter), to: request, context)
    }

    @Sendable func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        return try await respond(to: request, context) {
            // Read for each new page only: a change of the list affects its pages.
            guard let list = try await services.stores.lists.list(id, of: viewer.account.id) else {
                throw FeedError.notFound
            }
            return .list(list)
        }
    }

    @Sendable func account(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let account = try await services.stores.accounts.account(id: try context.id()), account.suspendedAt == nil
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
        return try await respond(with: .account(account.id, filter), to: request, context)
    }

    private func marked(_ mark: StatusMark, _ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        return try await respond(with: .marked(mark, by: viewer.account.id), to: request, context)
    }

    private static func plain(_ tag: String) -> String {
        Hashtag.key(tag.unicodeScalars.first == "#" ? String(tag.unicodeScalars.dropFirst()) : tag)
    }
}

extension TimelineController {
    private func respond(
        with timeline: Timeline?, to request: Request, _ context: FeedContext
    ) async throws -> Response {
        try await respond(to: request, context) { timeline }
    }

    /// Responds with a cached page, or with 304 if the client has it.
    /// - Parameter timeline: Called for a page that is not cached; `nil` for an empty timeline.
    private func respond(
        to request: Request, _ context: FeedContext, timeline: @Sendable () async throws -> Timeline?
    ) async throws -> Response {
        let viewer = context.viewer
        let page = try Pagination(request.query, limits: services.limits)
        let base = try services.site.baseURL.text(for: request)
        let key = PageKey(base: base, address: request.uri.string, viewer: viewer?.account.id)
        let known = try await services.pages.value(for: key, cost: { $0.cost + 4 * key.address.utf8.count }) {
            try await make(try await timeline(), page, request, base: base, viewer: viewer)
        }
        return try await services.response(
            with: known, for: key, in: services.pages, "application/json; charset=utf-8", to: request, context,
            headers: [.cacheControl: "private, no-cache", .vary: "Authorization"])
    }

    private func make(
        _ timeline: Timeline?, _ page: Pagination, _ request: Request, base: String, viewer: Viewer?
    ) async throws -> (CachedPage, ChangeDependencies) {
        var found = Page<Status>.empty
        var dependencies = ChangeDependencies()
        if let timeline {
            // Before the page: a follow in between affects the page.
            let sources = try await sources(of: timeline)
            found = try await services.stores.statuses.timeline(timeline, page: page, for: viewer?.account.id)
            dependencies = ChangeDependencies(
                found, of: timeline, page, sources: sources, viewer: viewer?.account.id)
        }
        var entities = services.entities(base: base)
        if let timeline { entities.filters = try await services.filters(of: viewer, in: timeline.filterContext) }
        var json = JSONWriter(capacity: 2048 * (1 + found.entries.count))
        json.statuses(found.entries, entities, viewer: viewer)
        let links = PageLinks(base: base, request: request).header(found)
        return (CachedPage(body: ByteBuffer(bytes: json.bytes), link: links.value), dependencies)
    }

    /// Where the statuses of a home timeline or of a list come from.
    private func sources(of timeline: Timeline) async throws -> TimelineSources {
        switch timeline {
        case .home(let account): try await homeSources(of: account)
        case .list(let list): TimelineSources(authors: try await services.stores.lists.memberIDs(of: list.id))
        default: TimelineSources()
        }
    }

    private func homeSources(of account: Int64) async throws -> TimelineSources {
        try await services.homeSources.value(for: account, cost: \.cost) {
            var dependencies = ChangeDependencies()
            dependencies.viewer = account
            let statuses = services.stores.statuses
            return (try await statuses.homeSources(of: account, limit: Self.maximumAuthors), dependencies)
        }
    }
}
