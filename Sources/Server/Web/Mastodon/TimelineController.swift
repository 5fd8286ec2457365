import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

/// Timelines of the Mastodon API.
struct TimelineController: Sendable {
    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.get("/api/v1/timelines/public", use: everyone)
        router.get("/api/v1/timelines/home", use: home)
        router.get("/api/v1/accounts/:id/statuses", use: account)
    }

    @Sendable func everyone(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.reader(of: request, scope: "read:statuses")
        return try await respond(with: .everyone, to: request, viewer: viewer)
    }

    @Sendable func home(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.require(request, scope: "read:statuses")
        return try await respond(with: .home(viewer.account.id), to: request, viewer: viewer)
    }

    @Sendable func account(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.reader(of: request, scope: "read:statuses")
        guard let account = try await services.accounts.account(id: try context.id()), account.suspendedAt == nil else {
            throw FeedError.notFound
        }
        return try await respond(with: .account(account.id), to: request, viewer: viewer)
    }

    private func respond(with timeline: Timeline, to request: Request, viewer: Viewer?) async throws -> Response {
        let page = try Page(request.query, limits: services.limits)
        let base = try services.baseURL.text(for: request)
        let fetched = try await services.statuses.timeline(timeline, page: page.withProbe, for: viewer?.account.id)
        let (statuses, hasOlder) = page.split(fetched)
        var json = JSONWriter(capacity: 2048 * (1 + statuses.count))
        json.statuses(statuses, Entities(base: base), viewer: viewer)
        let links = PageLinks(base: base, request: request)
            .header(newest: statuses.first?.id, oldest: statuses.last?.id, hasOlder: hasOlder)
        var headers: HTTPFields = [.cacheControl: "private, no-cache"]
        headers[.link] = links.value
        return Response(json: json, headers: headers)
    }
}
