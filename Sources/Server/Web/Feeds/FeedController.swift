import FeedCore
import FeedFiles
import FeedStore
import HTTPTypes
import NIOCore

/// Feeds for feed readers: of the site, an account, a hashtag, and the replies to a status. They contain public
/// statuses only, without boosts, because everybody may republish them.
struct FeedController: Sendable {
    private typealias Content = (page: FeedPage, dependencies: CacheInvalidation)
    private typealias Build = @Sendable (FeedRequest, RequestContext) async throws -> Content

    private static let headers: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept-Encoding"]

    let statuses: StatusStore
    let timelines: TimelineStore
    let accounts: AccountStore
    let tags: TagStore
    let cache: PageCache
    let ids: FeedIdentifier
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        for format in FeedFormat.allCases {
            let name = "feed." + format.rawValue
            endpoints.page("/" + name, .open, page(format) { try await site($0, $1) })
            endpoints.page("/@{name}/" + name, .open, page(format) { try await account($0, $1) })
            endpoints.page("/@{name}/:id/" + name, .open, page(format) { try await replies($0, $1) })
            endpoints.page("/tags/:tag/" + name, .open, page(format) { try await tag($0, $1) })
        }
        // As in Mastodon.
        endpoints.page("/@{name}.rss", .open, page(.rss) { try await account($0, $1) })
        endpoints.page("/tags/{tag}.rss", .open, page(.rss) { try await tag($0, $1) })
    }

    /// The parts from which a feed is built.
    private struct FeedRequest: Sendable {
        let base: String
        let page: Pagination
        let site: SiteSettings
        let ids: FeedIdentifier
        let emoji: EmojiSet

        func entries(_ statuses: [Status]) -> [FeedItem] { statuses.map { FeedItem($0, ids, emoji, base: base) } }
    }

    private func page(_ format: FeedFormat, _ build: @escaping Build) -> CachedPageResponse {
        CachedPageResponse(
            cache: cache, type: format.mediaType + "; charset=utf-8", headers: Self.headers, clock: clock,
            key: { [baseURL, settings] request, _ in
                guard settings.servesFeeds else {
                    throw ErrorResponse(status: .notFound, message: "This server has no feeds")
                }
                return try PageKey(request, baseURL, edition: "feed \(settings.revision)")
            },
            build: { request, context in
                // Before the statuses are read: a change in between is a later one.
                let now = clock.now()
                let (page, dependencies) = try await build(try feedRequest(request), context)
                let body = ByteBuffer(bytes: page.bytes(format))
                return (CachedPage(body: body, link: nil, builtAt: now, isNoindex: page.isNoindex), dependencies)
            })
    }

    private func feedRequest(_ request: Request) throws -> FeedRequest {
        FeedRequest(
            base: try baseURL.text(for: request),
            page: Pagination(limit: FeedPage.limit, maxID: try request.query.id(.maxID)), site: settings.site, ids: ids,
            emoji: emoji.current)
    }
}

extension FeedController {
    private func site(_ request: FeedRequest, _ context: RequestContext) async throws -> Content {
        try await timeline(
            .public, request,
            FeedPage(
                id: request.ids.site(), title: FeedText.line(request.site.title),
                summary: FeedText.line(request.site.text).nonEmpty ?? request.site.title, home: request.base + "/",
                address: request.base + "/feed",
                updated: 0))
    }

    private func account(_ request: FeedRequest, _ context: RequestContext) async throws -> Content {
        let name = try context.segment("name")
        guard let account = try await accounts.account(named: name), account.suspendedAt == nil else {
            throw FeedError(.notFound, "No such user")
        }
        var filter = AccountFilter()
        (filter.onlyPublic, filter.excludesBoosts) = (true, true)
        let author = FeedPage.Author(account, base: request.base)
        var content = try await timeline(
            .account(account.id, filter), request,
            FeedPage(
                id: request.ids.account(account.id), title: "\(author.name) (@\(account.username))",
                summary: FeedText.line(account.note).nonEmpty ?? "Posts by @\(account.username)", home: author.url,
                address: author.url + "/feed", author: author, isNoindex: account.privacy.contains(.noindex),
                updated: account.createdAt))
        content.dependencies.accounts.insert(account.id)
        return content
    }

    private func tag(_ request: FeedRequest, _ context: RequestContext) async throws -> Content {
        let tag = Hashtag.key(try context.segment("tag"))
        let name = try await tags.histories(of: [tag]).first?.name ?? tag
        let home = request.base + "/tags/" + tag.percentEncodedSegment
        return try await timeline(
            .tag(tag), request,
            FeedPage(
                id: request.ids.tag(tag), title: "#" + FeedText.line(name),
                summary: FeedText.line("Posts with #\(name) on \(request.site.title)"), home: home,
                address: home + "/feed", updated: 0))
    }

    private func timeline(_ timeline: Timeline, _ request: FeedRequest, _ page: FeedPage) async throws -> Content {
        let statuses = try await timelines.timeline(timeline, page: request.page, for: nil)
        let next = statuses.hasOlder ? statuses.oldest : nil
        let dependencies = CacheInvalidation(
            statuses, of: timeline, request.page, sources: TimelineSources(), viewer: nil)
        return (completed(page, statuses.entries, next: next, request), dependencies)
    }

    /// The replies to a status, and the replies to those.
    private func replies(_ request: FeedRequest, _ context: RequestContext) async throws -> Content {
        let (id, name) = (try context.id(), Username.key(try context.segment("name")))
        guard let status = try await statuses.status(id: id, for: nil), status.visibility == .public,
            status.boost == nil, Username.key(status.account.username) == name,
            let thread = try await statuses.context(of: id, for: nil)
        else { throw FeedError(.notFound, "No such post", hint: "It may have been deleted.") }
        let replies = thread.descendants.filter { $0.visibility == .public && $0.id < request.page.maxID ?? .max }
            .sorted { $0.id > $1.id }
        let newest = Array(replies.prefix(FeedPage.limit))
        let author = FeedPage.Author(status.account, base: request.base)
        let home = author.url + "/" + String(id)
        let page = FeedPage(
            id: request.ids.replies(to: id), title: "Replies to \(author.name): " + FeedItem.title(of: status),
            summary: FeedText.line("Replies to a post on \(request.site.title)"), home: home, address: home + "/feed",
            isNoindex: status.account.privacy.contains(.noindex), updated: status.createdAt)
        var dependencies = CacheInvalidation(showing: [status] + newest, to: nil)
        // A reply to any of them appears on the page.
        dependencies.statuses.formUnion(thread.descendants.map(\.id))
        dependencies.statuses.formUnion(thread.hidden)
        let next = replies.count > newest.count ? newest.last?.id : nil
        return (completed(page, newest, next: next, request), dependencies)
    }

    private func completed(
        _ page: FeedPage, _ statuses: [Status], next: Int64?, _ request: FeedRequest
    ) -> FeedPage {
        var page = page
        page.language = FeedText.language(request.site.languages.first)
        page.entries = request.entries(statuses)
        page.updated = page.entries.map(\.updated).max() ?? page.updated
        (page.maxID, page.nextMaxID) = (request.page.maxID, next)
        return page
    }
}

/// A page of a feed for feed readers, whatever its format. Addresses are absolute, times are milliseconds since 1970,
/// and texts are plain unless their name says HTML.
struct FeedPage: Sendable, Equatable {
    struct Author: Sendable, Equatable {
        var name: String
        var url: String
        var picture: String
    }

    /// The maximum number of entries.
    static let limit = 40

    /// A URN, which the address of the server does not change.
    var id: String
    var title: String
    var summary: String
    var language: String?
    /// The address of the web page with the same content.
    var home: String
    /// The address of the feed without the extension of its format.
    var address: String
    /// The upper bound of this page; `nil` for the first page.
    var maxID: Int64?
    /// The upper bound of the page with older entries; `nil` on the last page.
    var nextMaxID: Int64?
    /// The author of all entries.
    var author: Author?
    /// Whether search engines are asked to ignore the feed.
    var isNoindex = false
    /// The time of the last change of an entry; without entries, a time that never changes.
    var updated: Int64
    var entries: [FeedItem] = []

    /// The address of this page.
    func url(_ format: FeedFormat) -> String { url(format, below: maxID) }

    /// The address of the page with older entries.
    func nextURL(_ format: FeedFormat) -> String? { nextMaxID.map { url(format, below: $0) } }

    /// The address of the first page, from any other page.
    func firstURL(_ format: FeedFormat) -> String? { maxID.map { _ in url(format, below: nil) } }

    private func url(_ format: FeedFormat, below id: Int64?) -> String {
        address + "." + format.rawValue + (id.map { "?max_id=\($0)" } ?? "")
    }

    /// The page in UTF-8.
    func bytes(_ format: FeedFormat) -> [UInt8] {
        switch format {
        case .json: JSONFeedWriter.bytes(self)
        case .atom: AtomWriter.bytes(self)
        case .rss: RSSWriter.bytes(self)
        }
    }
}

/// The formats of feeds. The raw values are the extensions of their addresses.
enum FeedFormat: String, Sendable, CaseIterable {
    case json, atom, rss

    var mediaType: String {
        switch self {
        case .json: "application/feed+json"
        case .atom: "application/atom+xml"
        case .rss: "application/rss+xml"
        }
    }
}
