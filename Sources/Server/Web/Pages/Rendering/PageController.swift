import FeedCore
import FeedFiles
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

    private static let noSuchPost = FeedError(.notFound, "No such post", hint: "It may have been deleted.")

    let statuses: StatusStore
    let tags: TagStore
    let accounts: AccountStore
    let finder: Finder
    let relationships: RelationshipStore
    let lists: ListStore
    let tagFollows: FollowedTagStore
    let discovery: DiscoveryStore
    let timelineSources: TimelineSourceCache
    let filters: FilterSets
    let cache: PageCache
    let reader: WebReader
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let settings: ReloadableSettings

    private static let headers: HTTPFields = [
        .cacheControl: "no-cache", .contentSecurityPolicy: policy, .vary: "Cookie, Accept-Language, Accept-Encoding",
    ]

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.page("/", .open, timeline { try await publicTimeline(&$0, $1, $2) })
        endpoints.page("/home", .member(.readStatuses), timeline { try home(&$0, $1, $2) })
        endpoints.page("/tags/:tag", .open, timeline { try await tag(&$0, $1, $2) })
        addProfiles(to: endpoints)
        addMemberTimelines(to: endpoints)
        endpoints.page("/@{name}/:id", .open, page { try await status(&$0, $1, $2) })
        endpoints.page("/@{name}/:id/media/:number", .open, page { try await picture(&$0, $1, $2) })
        endpoints.get("/statuses/:id", .open, use: permalink)
        endpoints.get("/search", .open, use: search)
        endpoints.get("/about", .open, use: about)
    }

    private func publicTimeline(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> Timeline {
        page.setTitle(page.site.title, heading: page.text.publicTimeline)
        page.set(.description, page.site.text)
        page.setCanonical("/")
        page.setFeed("/feed", title: page.site.title)
        if request.uri.query == nil { page.set(.live, "public") }
        return .public
    }

    private func home(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) throws -> Timeline {
        page.setTitle("\(page.text.home) – \(page.site.title)", heading: page.text.home)
        page.set(.feedEmptyText, page.text.nothingAtHome)
        if request.uri.query == nil { page.set(.live, "home") }
        return .home(try context.require().account.id)
    }

    private func tag(_ page: inout PageContext, _ request: Request, _ context: RequestContext) async throws -> Timeline
    {
        let tag = Hashtag.key(try context.segment("tag"))
        let name = try await tags.histories(of: [tag]).first?.name ?? tag
        page.setTitle("#\(name) – \(page.site.title)", heading: "#" + name)
        page.setCanonical("/tags/" + tag.percentEncodedSegment)
        page.setFeed("/tags/" + tag.percentEncodedSegment + "/feed", title: "#" + name)
        if request.uri.query == nil { page.set(.live, "tag/" + tag.percentEncodedSegment) }
        if context.readsRelationships, let viewer = context.reader {
            let isFollowed = try await tagFollows.followedNames(by: viewer.id).contains(tag)
            page.setTools(buttons: [.tag(tag, isFollowed: isFollowed, page.text)])
        }
        return .tag(tag)
    }

    private func status(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> ChangeDependencies {
        let viewer = context.reader?.id
        let status = try await shownStatus(context)
        let author = status.account.displayNameOrUsername
        page.setTitle(of: status)
        page.setCanonical("/@\(status.account.username)/\(status.id)")
        if status.visibility == .public {
            page.setFeed(
                "/@\(status.account.username)/\(status.id)/feed", title: page.text.repliesTo(author), isShown: false)
        }
        page.setPreview(of: status)
        page.setIndexing(status.account)
        page.filters = try await filters.of(context.viewer, in: .thread)
        let thread = PageThread(status, in: try await statuses.context(of: status.id, for: viewer))
        page.show(thread, names: try await ReplyNames(of: thread.statuses, in: accounts))
        return thread.dependencies(for: viewer)
    }

    /// A file of a status, with its description.
    private func picture(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> ChangeDependencies {
        let status = try await shownStatus(context)
        let number = Int(try context.segment("number")) ?? 0
        guard status.media.indices.contains(number - 1), String(number) == context.parameters.get("number") else {
            throw FeedError(.notFound, "The post has no such picture", hint: nil)
        }
        page.showMedia(number, of: status)
        page.setIndexing(status.account)
        return ChangeDependencies(showing: [status], to: context.reader?.id)
    }

    /// The status whose author and id are in the path.
    private func shownStatus(_ context: RequestContext) async throws -> Status {
        let (id, name) = (try context.id(), Username.key(try context.segment("name")))
        guard let status = try await statuses.status(id: id, for: context.reader?.id),
            Username.key(status.account.username) == name
        else { throw Self.noSuchPost }
        return status
    }

    /// Redirects from the id of a status to its page. A link from a reply to its parent contains only the id.
    @Sendable func permalink(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let status = try await statuses.status(id: try context.id(), for: context.reader?.id) else {
            throw Self.noSuchPost
        }
        return Response(status: .found, headers: [.location: "/@\(status.account.username)/\(status.id)"])
    }

    /// Adds the content of a page, and returns what it depends on.
    typealias Fill<Result> = @Sendable (inout PageContext, Request, RequestContext) async throws -> Result

    /// A page of a timeline.
    /// - Parameter describe: Adds everything but the statuses, and returns the timeline.
    func timeline(_ describe: @escaping Fill<Timeline>) -> PageEndpoint {
        page { shown, request, context in
            let (page, path) = (try Pagination(request.query, limits: settings.limits), request.uri.path)
            let viewer = context.reader?.id
            let timeline = try await describe(&shown, request, context)
            let sources = try await timelineSources.of(timeline)
            let found = try await statuses.timeline(timeline, page: page, for: viewer)
            let pinned = ChangeDependencies(showing: shown.pinned, to: viewer)
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
            var dependencies = ChangeDependencies(found, of: timeline, page, sources: sources, viewer: viewer)
            dependencies.accounts.formUnion(shown.accounts.union(pinned.accounts))
            dependencies.statuses.formUnion(pinned.statuses)
            return dependencies
        }
    }

    private func page(_ fill: @escaping Fill<ChangeDependencies>) -> PageEndpoint {
        PageEndpoint(
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

/// The timelines that only a member sees: bookmarks, favourites and lists.
extension PageController {
    func addMemberTimelines(to endpoints: Endpoints) {
        endpoints.page(
            "/bookmarks", .member(.readBookmarks),
            timeline { page, _, context in
                page.setTitle("\(page.text.bookmarks) – \(page.site.title)", heading: page.text.bookmarks)
                return .marked(.bookmark, by: try context.requireReader().id)
            })
        endpoints.page(
            "/favourites", .member(.readFavourites),
            timeline { page, _, context in
                page.setTitle("\(page.text.favourites) – \(page.site.title)", heading: page.text.favourites)
                return .marked(.favourite, by: try context.requireReader().id)
            })
        endpoints.page("/lists/:id", .member(.readLists), timeline { try await list(&$0, $1, $2) })
    }

    private func list(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> Timeline {
        let list = try await lists.require(try context.id(), of: try context.requireReader())
        page.setTitle("\(list.title) – \(page.site.title)", heading: list.title)
        page.setTools([
            PageNavigation.Link(path: "/lists/\(list.id)/members", label: page.text.members),
            PageNavigation.Link(path: "/lists/\(list.id)/edit", label: page.text.words.edit),
            PageNavigation.Link(path: "/lists/\(list.id)/delete", label: page.text.words.delete),
        ])
        if request.uri.query == nil { page.set(.live, "list/\(list.id)") }
        page.set(.feedEmptyText, page.text.nothingInList)
        return .list(list)
    }
}

extension RequestContext {
    /// The account whose page is shown. Pages are kept under its id, so a token that may not read statuses gets none.
    func requireReader() throws(FeedError) -> Account {
        guard let reader else { throw .notAllowed }
        return reader
    }
}
