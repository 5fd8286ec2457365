import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages of the web reader: the public timeline, profiles, hashtags and single statuses.
struct PageController: Sendable {
    private static let policy = """
        default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'self'; script-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    private static let noSuchPost = FeedError(.notFound, "No such post", hint: "It may have been deleted.")

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/", .open, use: publicTimeline)
        endpoints.get("/tags/:tag", .open, use: tag)
        endpoints.get("/@{name}", .open, use: profile)
        endpoints.get("/@{name}/:id", .open, use: status)
        endpoints.get("/statuses/:id", .open, use: permalink)
        endpoints.get("/assets/:name", .open, use: asset)
    }

    @Sendable func publicTimeline(_ request: Request, _ context: FeedContext) async throws -> Response {
        let isNewest = request.uri.query == nil
        return try await timeline(of: request, context) { page in
            page.setTitle(page.site.title, heading: "Public timeline")
            page.set(.description, page.site.text)
            if isNewest { page.set(.live, "public") }
            return .public
        }
    }

    @Sendable func tag(_ request: Request, _ context: FeedContext) async throws -> Response {
        let tag = Hashtag.key(try context.segment("tag"))
        return try await timeline(of: request, context) { [tags = services.stores.tags] page in
            let name = try await tags.histories(of: [tag]).first?.name ?? tag
            page.setTitle("#\(name) – \(page.site.title)", heading: "#" + name)
            return .tag(tag)
        }
    }

    @Sendable func profile(_ request: Request, _ context: FeedContext) async throws -> Response {
        let name = try context.segment("name")
        return try await timeline(of: request, context) { [accounts = services.stores.accounts] page in
            guard let account = try await accounts.account(named: name), account.suspendedAt == nil else {
                throw FeedError(.notFound, "No such user", hint: nil)
            }
            let shown = account.displayNameOrUsername
            page.setTitle("\(shown) (@\(account.username)) – \(page.site.title)", heading: shown)
            page.show(account)
            return .account(account.id)
        }
    }

    @Sendable func status(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (id, name) = (try context.id(), Username.key(try context.segment("name")))
        return try await page(request, context) { [statuses = services.stores.statuses] page in
            guard let status = try await statuses.status(id: id, for: nil),
                Username.key(status.account.username) == name
            else { throw Self.noSuchPost }
            let author = status.account.displayNameOrUsername
            page.setTitle("\(author) – \(page.site.title)", heading: author)
            page.set(.canonical, page.base + "/@\(status.account.username)/\(status.id)")
            page.setPreview(of: status)
            page.setIndexing(status.account)
            let thread = PageThread(status, in: try await statuses.context(of: id, for: nil))
            page.show(thread)
            return thread.dependencies
        }
    }

    /// Redirects from the id of a status to its page. A link from a reply to its parent contains only the id.
    @Sendable func permalink(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let status = try await services.stores.statuses.status(id: try context.id(), for: nil) else {
            throw Self.noSuchPost
        }
        return Response(status: .found, headers: [.location: "/@\(status.account.username)/\(status.id)"])
    }

    @Sendable func asset(_ request: Request, _ context: FeedContext) async throws -> Response {
        let reader = services.site.reader
        let edition = try reader.edition()
        guard let asset = context.parameters.get("name").flatMap({ edition.assets[$0] }) else {
            throw FeedError(.notFound, "No such file")
        }
        if reader.isConstant { context.notes.content = .constant(asset.bytes, tag: asset.tag) }
        let isVersioned = try request.query["v"] == edition.version
        return try await RangeResponse.response(
            to: request, bytes: asset.bytes, type: asset.type, tag: asset.tag,
            headers: [.cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache"])
    }

    /// Renders an error as a page.
    func errorPage(_ problem: Problem, _ request: Request) throws -> Response {
        let code = problem.status.code
        var page = PageContext(
            site: services.site.description, edition: try services.site.reader.edition(), base: "")
        page.setTitle(problem.message, heading: problem.status.reasonPhrase)
        var error = TemplateValues()
        error.set(.code, String(code))
        error.set(.message, problem.message)
        error.set(.hint, problem.hint)
        page.set(.error, .object(error))
        var headers = problem.headers
        headers[.contentSecurityPolicy] = Self.policy
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: problem.status, headers: headers, body: .init(byteBuffer: .init(bytes: page.html())))
    }

    /// Responds with a page of a timeline.
    /// - Parameter describe: Adds everything but the statuses, and returns the timeline.
    private func timeline(
        of request: Request, _ feed: FeedContext,
        describe: @Sendable @escaping (inout PageContext) async throws -> Timeline
    ) async throws -> Response {
        let page = try Pagination(request.query, limits: services.limits)
        let path = request.uri.path
        return try await self.page(request, feed) { [statuses = services.stores.statuses] context in
            let timeline = try await describe(&context)
            let found = try await statuses.timeline(timeline, page: page, for: nil)
            context.show(found.entries)
            if let oldest = found.oldest, found.hasOlder { context.set(.older, path + "?max_id=\(oldest)") }
            if let newest = found.newest, page.maxID != nil || page.minID != nil {
                context.set(.newer, path + "?min_id=\(newest)")
            }
            var dependencies = ChangeDependencies(found, of: timeline, page, sources: TimelineSources(), viewer: nil)
            dependencies.accounts.formUnion(context.accounts)
            return dependencies
        }
    }

    /// Responds with a cached page, or with 304 if the browser has it. Neither needs a query.
    /// - Parameter fill: Adds the content and returns what it depends on.
    private func page(
        _ request: Request, _ feed: FeedContext,
        fill: @Sendable @escaping (inout PageContext) async throws -> ChangeDependencies
    ) async throws -> Response {
        let base = try services.site.baseURL.text(for: request)
        let (site, edition) = (services.site.description, try services.site.reader.edition())
        let key = [base, edition.version, site.shownOnPages, request.uri.string].joined(separator: "\u{0}")
        let known = try await services.html.value(for: key, cost: \.cost) {
            var context = PageContext(site: site, edition: edition, base: base, emoji: services.emoji.current)
            let dependencies = try await fill(&context)
            return (CachedPage(body: ByteBuffer(bytes: context.html()), link: nil), dependencies)
        }
        return try await services.response(
            with: known, for: key, in: services.html, isReusable: services.site.reader.isConstant,
            "text/html; charset=utf-8", to: request, feed,
            headers: [.cacheControl: "no-cache", .contentSecurityPolicy: Self.policy])
    }
}
