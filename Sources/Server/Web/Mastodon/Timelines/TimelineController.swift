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

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.publicTimeline, .optional(.readStatuses), use: publicTimeline)
        endpoints.get(Paths.homeTimeline, .account(.readStatuses), use: home)
        endpoints.get("/api/v1/timelines/tag/:tag", .optional(.readStatuses), use: tag)
        endpoints.get("/api/v1/accounts/:id/statuses", .optional(.readStatuses), use: account)
        endpoints.get("/api/v1/favourites", .account(.readFavourites)) { try await marked(.favourite, $0, $1) }
        endpoints.get("/api/v1/bookmarks", .account(.readBookmarks)) { try await marked(.bookmark, $0, $1) }
    }

    @Sendable func publicTimeline(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
        let query = try request.query
        // No status is remote or has media attachments yet.
        let isEmpty = query.flag("remote") == true || query.flag("only_media") == true
        return try await respond(with: isEmpty ? nil : .public, to: request, viewer: viewer)
    }

    @Sendable func home(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        return try await respond(with: .home(viewer.account.id), to: request, viewer: viewer)
    }

    @Sendable func tag(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
        let query = try request.query
        func tags(_ name: String) -> [String] {
            query.all(name).prefix(Self.tagLimit).map { Self.plain($0) }
        }
        let filter = TagFilter(
            any: [Self.plain(try context.segment("tag"))] + tags("any"), all: tags("all"), none: tags("none"))
        let isEmpty = query.flag("remote") == true || query.flag("only_media") == true
        return try await respond(with: isEmpty ? nil : .tags(filter), to: request, viewer: viewer)
    }

    @Sendable func account(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
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
        return try await respond(with: .account(account.id, filter), to: request, viewer: viewer)
    }

    private func marked(_ mark: StatusMark, _ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        return try await respond(with: .marked(mark, by: viewer.account.id), to: request, viewer: viewer)
    }

    private static func plain(_ tag: String) -> String {
        (tag.hasPrefix("#") ? String(tag.dropFirst()) : tag).lowercased()
    }
}

extension TimelineController {
    /// Responds with a page, or with 304 before anything is fetched: a page depends only on the viewer, the request's
    /// address and the change log.
    private func respond(with timeline: Timeline?, to request: Request, viewer: Viewer?) async throws -> Response {
        let page = try Pagination(request.query, limits: services.limits)
        let base = try services.site.baseURL.text(for: request)
        let key = PageKey(base: base, address: request.uri.string, viewer: viewer?.account.id)
        let tag = EntityTag(
            of: services.log.epoch, String(services.log.sequence), base, key.address, "\(key.viewer ?? 0)")
        var headers: HTTPFields = [.cacheControl: "private, no-cache", .vary: "Authorization"]
        headers[.eTag] = tag.text
        let preconditions = Preconditions(method: .head, headers: request.headers)
        if preconditions.decide(Representation(tag: tag, modified: nil, size: 0), now: 0) == .notModified {
            return Response(status: .notModified, headers: headers)
        }
        let known = try await services.pages.value(
            for: key, cost: { $0.body.readableBytes + 4 * key.address.utf8.count + 512 }
        ) {
            try await make(timeline, page, request, base: base, viewer: viewer)
        }
        headers[.contentType] = "application/json; charset=utf-8"
        headers[.link] = known.link
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: known.body))
    }

    private func make(
        _ timeline: Timeline?, _ page: Pagination, _ request: Request, base: String, viewer: Viewer?
    ) async throws -> CachedPage {
        var found = Page<Status>.empty
        if let timeline {
            found = try await services.stores.statuses.timeline(timeline, page: page, for: viewer?.account.id)
        }
        var json = JSONWriter(capacity: 2048 * (1 + found.entries.count))
        json.statuses(found.entries, EntityContext(base: base), viewer: viewer)
        let links = PageLinks(base: base, request: request).header(found)
        return CachedPage(body: ByteBuffer(bytes: json.bytes), link: links.value)
    }
}

/// The key of a cached timeline page: everything that the page depends on, except the change log.
package struct PageKey: Hashable, Sendable {
    let base: String
    let address: String
    let viewer: Int64?
}

/// An encoded timeline page.
package struct CachedPage: Sendable {
    let body: ByteBuffer
    let link: String?
}
