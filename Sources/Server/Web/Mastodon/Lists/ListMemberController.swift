import FeedAPI
import FeedCore
import FeedStore

/// The members of the viewer's lists.
struct ListMemberController: Sendable {
    let lists: ListStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.lists + "/:id/accounts", .account(.readLists), use: members)
        endpoints.post(Paths.lists + "/:id/accounts", .account(.writeLists), use: add)
        endpoints.delete(Paths.lists + "/:id/accounts", .account(.writeLists), use: remove)
    }

    @Sendable func members(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        guard try await lists.list(id, of: viewer.account.id) != nil else { throw FeedError.notFound }
        let page = try page(request.query)
        let fetched = try await lists.members(of: id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request))
    }

    @Sendable func add(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let accounts = try await accounts(request, context)
        try await lists.add(accounts, to: id, of: viewer.account.id)
        return .emptyObject
    }

    @Sendable func remove(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let accounts = try await accounts(request, context)
        try await lists.remove(accounts, from: id, of: viewer.account.id)
        return .emptyObject
    }

    /// A page of members; as in Mastodon, all members for `limit=0`.
    private func page(_ input: RequestParameters) throws(FeedError) -> Pagination {
        var page = try Pagination.list(input, limits: settings.limits)
        if input[IntegerParameter.limit.rawValue] == "0" { page.limit = ListRule.maximumMembers }
        return page
    }

    /// The requested accounts, without repetitions.
    private func accounts(_ request: Request, _ context: RequestContext) async throws -> [Int64] {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        return try input.accountIDs(upTo: settings.limits.idsMaximum)
    }
}
