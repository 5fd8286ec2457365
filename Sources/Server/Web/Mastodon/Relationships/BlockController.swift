import FeedAPI
import FeedCore
import FeedStore

/// Blocking and unblocking.
struct BlockController: Sendable {
    let blocks: BlockStore
    let relationships: Relationships
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/blocks", .account(.readBlocks), use: list)
        endpoints.post(Paths.accounts + "/:id/block", .account(.writeBlocks), use: block)
        endpoints.post(Paths.accounts + "/:id/unblock", .account(.writeBlocks), use: unblock)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: settings.limits)
        let fetched = try await blocks.blocks(of: viewer.account.id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request))
    }

    @Sendable func block(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await blocks.block(target, by: viewer)
        }
    }

    @Sendable func unblock(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await blocks.unblock(target, by: viewer)
        }
    }
}
