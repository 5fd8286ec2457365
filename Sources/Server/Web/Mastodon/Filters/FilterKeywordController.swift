import FeedAPI
import FeedCore
import FeedStore

/// The keywords and statuses of the viewer's filters.
struct FilterKeywordController: Sendable {
    let filters: FilterStore
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v2/filters/:id/keywords", .account(.readFilters), use: keywords)
        endpoints.post("/api/v2/filters/:id/keywords", .account(.writeFilters), use: addKeyword)
        endpoints.get("/api/v2/filters/keywords/:id", .account(.readFilters), use: keyword)
        endpoints.put("/api/v2/filters/keywords/:id", .account(.writeFilters), use: updateKeyword)
        endpoints.delete("/api/v2/filters/keywords/:id", .account(.writeFilters), use: deleteKeyword)
        endpoints.get("/api/v2/filters/:id/statuses", .account(.readFilters), use: statuses)
        endpoints.post("/api/v2/filters/:id/statuses", .account(.writeFilters), use: addStatus)
        endpoints.get("/api/v2/filters/statuses/:id", .account(.readFilters), use: status)
        endpoints.delete("/api/v2/filters/statuses/:id", .account(.writeFilters), use: deleteStatus)
    }

    @Sendable func keywords(_ request: Request, _ context: RequestContext) async throws -> Response {
        let filter = try await filters.filter(try context.id(), of: try context.require().account.id)
        var json = JSONWriter()
        json.array { for keyword in filter.keywords { $0.filterKeyword(keyword) } }
        return Response(json: json)
    }

    @Sendable func addKeyword(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        return Response(
            keyword: try await filters.add(
                try FilterDraft.Keyword(input), to: try context.id(), of: viewer.account.id))
    }

    @Sendable func keyword(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        return Response(keyword: try await filters.keyword(try context.id(), of: viewer.account.id).keyword)
    }

    @Sendable func updateKeyword(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account.id
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let id = try context.id()
        let filter = try await filters.keyword(id, of: account).filter
        var (draft, keyword) = (FilterDraft(), try FilterDraft.Keyword(input))
        keyword.id = id
        draft.keywords = [keyword]
        let changed = try await filters.update(filter.id, of: account, draft, hasOnly: nil)
        guard let keyword = changed.keywords.first(where: { $0.id == id }) else { throw FeedError.notFound }
        return Response(keyword: keyword)
    }

    @Sendable func deleteKeyword(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await filters.deleteKeyword(try context.id(), of: viewer.account.id, endsFilter: false)
        return .emptyObject
    }

    @Sendable func statuses(_ request: Request, _ context: RequestContext) async throws -> Response {
        let filter = try await filters.filter(try context.id(), of: try context.require().account.id)
        var json = JSONWriter()
        json.array { for entry in filter.statuses { $0.filterStatus(entry) } }
        return Response(json: json)
    }

    @Sendable func addStatus(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let filter = try context.id()
        guard let status = try input.id(.statusID) else { throw FeedError.invalid("Status must exist") }
        return Response(entry: try await filters.add(status: status, to: filter, of: viewer.account.id))
    }

    @Sendable func status(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        return Response(entry: try await filters.status(try context.id(), of: viewer.account.id))
    }

    @Sendable func deleteStatus(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await filters.deleteStatus(try context.id(), of: viewer.account.id)
        return .emptyObject
    }
}

extension Response {
    fileprivate init(keyword: Filter.Keyword) {
        var json = JSONWriter(capacity: 128)
        json.filterKeyword(keyword)
        self.init(json: json)
    }

    fileprivate init(entry: Filter.MatchedStatus) {
        var json = JSONWriter(capacity: 64)
        json.filterStatus(entry)
        self.init(json: json)
    }
}
