import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages of the web reader: the public timeline, profiles, hashtags and single statuses.
struct PageController: Sendable {
    private static let policy = """
        default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

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
        return try await timeline(
            .public, request, context, title: services.site.reader.site, heading: "Public timeline"
        ) {
            page, _ in
            page.set("description", services.site.description.text)
            if isNewest { page.set("live", "public") }
        }
    }

    @Sendable func tag(_ request: Request, _ context: FeedContext) async throws -> Response {
        let tag = try context.segment("tag").lowercased()
        return try await timeline(
            .tag(tag), request, context, title: "#\(tag) – \(services.site.reader.site)", heading: "#" + tag)
    }

    @Sendable func profile(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try await account(named: try context.segment("name"))
        let title = "\(account.displayNameOrUsername) (@\(account.username)) – \(services.site.reader.site)"
        return try await timeline(
            .account(account.id), request, context, title: title, heading: account.displayNameOrUsername
        ) {
            [accounts = services.stores.accounts] page, dependencies in
            // Read again: the first one may be older than the position of the cache.
            if let account = try await accounts.account(id: account.id) { page.show(account) }
            dependencies.accounts.insert(account.id)
        }
    }

    @Sendable func status(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let status = try await services.stores.statuses.status(id: try context.id(), for: nil),
            Username.key(status.account.username) == Username.key(try context.segment("name"))
        else { throw FeedError(.notFound, "No such post", hint: "It may have been deleted.") }
        let title = "\(status.account.displayNameOrUsername) – \(services.site.reader.site)"
        return try await page(request, context, title: title, heading: status.account.displayNameOrUsername) {
            [statuses = services.stores.statuses] page in
            // Read again: the first one may be older than the position of the cache.
            guard let status = try await statuses.status(id: status.id, for: nil) else { throw FeedError.notFound }
            page.set("canonical", page.base + "/@\(status.account.username)/\(status.id)")
            page.set("description", String(status.text.prefix(200)))
            page.show([status], focus: status.id)
            return ChangeDependencies(showing: [status], to: nil)
        }
    }

    /// Redirects from the id of a status to its page. A link from a reply to its parent contains only the id.
    @Sendable func permalink(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let status = try await services.stores.statuses.status(id: try context.id(), for: nil) else {
            throw FeedError(.notFound, "No such post", hint: "It may have been deleted.")
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
            reader: services.site.reader, edition: try services.site.reader.edition(), base: "", title: problem.message,
            heading: problem.status.reasonPhrase)
        var error: [String: Any] = ["code": String(code), "message": problem.message]
        if let hint = problem.hint { error["hint"] = hint }
        page.set("error", error)
        var headers = problem.headers
        headers[.contentSecurityPolicy] = Self.policy
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: problem.status, headers: headers, body: .init(byteBuffer: .init(string: page.html())))
    }

    private func account(named name: String) async throws -> Account {
        guard let account = try await services.stores.accounts.account(named: name), account.suspendedAt == nil else {
            throw FeedError(.notFound, "No such user", hint: nil)
        }
        return account
    }

    private func timeline(
        _ timeline: Timeline, _ request: Request, _ context: FeedContext, title: String, heading: String,
        fill: @Sendable @escaping (inout PageContext, inout ChangeDependencies) async throws -> Void = { _, _ in }
    ) async throws -> Response {
        let page = try Pagination(request.query, limits: services.limits)
        let path = request.uri.path
        return try await self.page(request, context, title: title, heading: heading) {
            [statuses = services.stores.statuses] context in
            let found = try await statuses.timeline(timeline, page: page, for: nil)
            context.show(found.entries)
            if let oldest = found.oldest, found.hasOlder { context.set("older", path + "?max_id=\(oldest)") }
            if let newest = found.newest, page.maxID != nil || page.minID != nil {
                context.set("newer", path + "?min_id=\(newest)")
            }
            var dependencies = ChangeDependencies(found, of: timeline, page, authors: nil, viewer: nil)
            try await fill(&context, &dependencies)
            return dependencies
        }
    }

    /// Responds with a cached page, or with 304 if the browser has it.
    /// - Parameter fill: Adds the content and returns what it depends on.
    private func page(
        _ request: Request, _ context: FeedContext, title: String, heading: String,
        fill: @Sendable @escaping (inout PageContext) async throws -> ChangeDependencies
    ) async throws -> Response {
        let base = try services.site.baseURL.text(for: request)
        let reader = services.site.reader
        let edition = try reader.edition()
        let site = services.site.description.shownOnPages
        let key = [base, edition.version, title, site, request.uri.string].joined(separator: "\u{0}")
        let known = try await services.html.value(for: key, cost: \.cost) {
            var context = PageContext(reader: reader, edition: edition, base: base, title: title, heading: heading)
            let dependencies = try await fill(&context)
            return (CachedPage(body: ByteBuffer(string: context.html()), link: nil), dependencies)
        }
        if reader.isConstant { context.notes.content = .page(known, for: key, in: services.html) }
        var headers: HTTPFields = [.cacheControl: "no-cache", .contentSecurityPolicy: Self.policy]
        headers[.eTag] = known.tag.text
        if Preconditions.isNotModified(request, known.tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: known.body))
    }
}
