import FeedAPI
import FeedCore

/// The members of the viewer's lists.
struct ListMemberController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/lists/:id/accounts", .account(.readLists), use: members)
        endpoints.post("/api/v1/lists/:id/accounts", .account(.writeLists), use: add)
        endpoints.delete("/api/v1/lists/:id/accounts", .account(.writeLists), use: remove)
    }

    @Sendable func members(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        guard try await services.stores.lists.list(id, of: viewer.account.id) != nil else { throw FeedError.notFound }
        let page = try page(request.query)
        let fetched = try await services.stores.lists.members(of: id, page: page.withProbe)
        return try services.response(with: fetched, page: page, to: request)
    }

    @Sendable func add(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let accounts = try await accounts(request, context)
        try await services.stores.lists.add(accounts, to: id, of: viewer.account.id)
        return .emptyObject
    }

    @Sendable func remove(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let accounts = try await accounts(request, context)
        try await services.stores.lists.remove(accounts, from: id, of: viewer.account.id)
        return .emptyObject
    }

    /// A page of members; as in Mastodon, all members for `limit=0`.
    private func page(_ input: InputValues) throws(FeedError) -> Pagination {
        var page = try Pagination.list(input, limits: services.limits)
        if input[IntegerParameter.limit.rawValue] == "0" { page.limit = ListRule.maximumMembers }
        return page
    }

    /// The requested accounts, without repetitions.
    private func accounts(_ request: Request, _ context: FeedContext) async throws -> [Int64] {
        let input = try await request.input(upTo: services.limits.formBytes, context: context)
        return try input.accountIDs(upTo: services.limits.idsMaximum)
    }
}
