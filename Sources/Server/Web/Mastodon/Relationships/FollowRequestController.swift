import FeedAPI
import FeedCore

/// Pending requests to follow the viewer.
struct FollowRequestController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/follow_requests", .account(.readFollows), use: list)
        endpoints.post("/api/v1/follow_requests/:id/authorize", .account(.writeFollows), use: accept)
        endpoints.post("/api/v1/follow_requests/:id/reject", .account(.writeFollows), use: reject)
    }

    @Sendable func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: services.limits)
        let fetched = try await services.stores.follows.requests(to: viewer.account.id, page: page.withProbe)
        return try services.response(with: fetched, page: page, to: request, id: \.id) { $0.account($1.account, $2) }
    }

    @Sendable func accept(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.follows.accept(target, by: viewer)
        }
    }

    @Sendable func reject(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.follows.reject(target, by: viewer)
        }
    }
}
