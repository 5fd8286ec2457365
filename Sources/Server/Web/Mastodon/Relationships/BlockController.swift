import FeedAPI
import FeedCore

/// Blocking and unblocking.
struct BlockController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/blocks", .account(.readBlocks), use: list)
        endpoints.post("/api/v1/accounts/:id/block", .account(.writeBlocks), use: block)
        endpoints.post("/api/v1/accounts/:id/unblock", .account(.writeBlocks), use: unblock)
    }

    @Sendable func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: services.limits)
        let fetched = try await services.stores.blocks.blocks(of: viewer.account.id, page: page.withProbe)
        return try services.response(with: fetched, page: page, to: request)
    }

    @Sendable func block(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.blocks.block(target, by: viewer)
        }
    }

    @Sendable func unblock(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.blocks.unblock(target, by: viewer)
        }
    }
}
