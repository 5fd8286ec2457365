import FeedAPI
import FeedCore

/// The viewer's filters.
struct FilterController: Sendable {
    /// Four for each keyword, and those of the filter itself.
    private static let maximumValues = 4 * FilterRule.maximumKeywords + 100

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v2/filters", .account(.readFilters), use: list)
        endpoints.post("/api/v2/filters", .account(.writeFilters), use: create)
        endpoints.get("/api/v2/filters/:id", .account(.readFilters), use: show)
        endpoints.put("/api/v2/filters/:id", .account(.writeFilters), use: update)
        endpoints.delete("/api/v2/filters/:id", .account(.writeFilters), use: delete)
    }

    @Sendable func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let filters = try await services.stores.filters.filters(of: viewer.account.id)
        var json = JSONWriter(capacity: 512 * (1 + filters.count))
        json.array { for filter in filters { $0.filter(filter) } }
        return Response(json: json)
    }

    @Sendable func create(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let draft = try await draft(request, context)
        return Response(filter: try await services.stores.filters.create(draft, by: viewer.account.id))
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        return Response(filter: try await services.stores.filters.filter(context.id(), of: viewer.account.id))
    }

    @Sendable func update(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let draft = try await draft(request, context)
        return Response(
            filter: try await services.stores.filters.update(
                try context.id(), of: viewer.account.id, draft, hasOnly: nil))
    }

    private func draft(_ request: Request, _ context: FeedContext) async throws -> FilterDraft {
        let input = try await request.input(
            upTo: services.limits.longFormBytes, count: Self.maximumValues, context: context)
        return try FilterDraft(input, at: services.clock.now())
    }

    @Sendable func delete(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        try await services.stores.filters.delete(try context.id(), of: viewer.account.id)
        return .emptyObject
    }
}

extension Response {
    fileprivate init(filter: Filter) {
        var json = JSONWriter(capacity: 512)
        json.filter(filter)
        self.init(json: json)
    }
}
