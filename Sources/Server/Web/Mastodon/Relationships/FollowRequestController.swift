import FeedAPI
import FeedCore
import FeedStore

/// Pending requests to follow the viewer.
struct FollowRequestController: Sendable {
    let follows: FollowStore
    let relationships: Relationships
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.followRequests, .account(.readFollows), use: list)
        endpoints.post(Paths.followRequests + "/:id/authorize", .account(.writeFollows), use: accept)
        endpoints.post(Paths.followRequests + "/:id/reject", .account(.writeFollows), use: reject)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: settings.limits)
        let fetched = try await follows.requests(to: viewer.account.id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            $0.account($1.account, $2)
        }
    }

    @Sendable func accept(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.accept(target, by: viewer)
        }
    }

    @Sendable func reject(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.reject(target, by: viewer)
        }
    }
}
