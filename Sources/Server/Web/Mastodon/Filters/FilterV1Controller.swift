import FeedAPI
import FeedCore
import FeedStore

/// The viewer's filters as version 1 of the API shows them: each keyword is a filter of its own, with the id of the
/// keyword.
struct FilterV1Controller: Sendable {
    let filters: FilterStore
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/filters", .account(.readFilters), use: list)
        endpoints.post("/api/v1/filters", .account(.writeFilters), use: create)
        endpoints.get("/api/v1/filters/:id", .account(.readFilters), use: show)
        endpoints.put("/api/v1/filters/:id", .account(.writeFilters), use: update)
        endpoints.delete("/api/v1/filters/:id", .account(.writeFilters), use: delete)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let filters = try await filters.filters(of: try context.require().account.id)
        var json = JSONWriter(capacity: 512 * (1 + filters.count))
        json.array {
            for filter in filters {
                for keyword in filter.keywords { $0.oldFilter(filter, keyword) }
            }
        }
        return Response(json: json)
    }

    @Sendable func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let draft = try FilterDraft(old: input, keyword: nil, at: clock.now())
        let filter = try await filters.create(draft, by: viewer.account.id)
        return try Self.response(for: filter, filter.keywords.first)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let entry = try await filters.keyword(try context.id(), of: try context.require().account.id)
        return try Self.response(for: entry.filter, entry.keyword)
    }

    @Sendable func update(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (account, id) = (try context.require().account.id, try context.id())
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let draft = try FilterDraft(old: input, keyword: id, at: clock.now())
        let current = try await filters.keyword(id, of: account).filter
        let filter = try await filters.update(current.id, of: account, draft, hasOnly: id)
        return try Self.response(for: filter, filter.keywords.first { $0.id == id })
    }

    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await filters.deleteKeyword(try context.id(), of: viewer.account.id, endsFilter: true)
        return .emptyObject
    }

    private static func response(for filter: Filter, _ keyword: Filter.Keyword?) throws(FeedError) -> Response {
        guard let keyword else { throw .notFound }
        var json = JSONWriter(capacity: 256)
        json.oldFilter(filter, keyword)
        return Response(json: json)
    }
}
