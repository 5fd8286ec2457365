import FeedAPI
import FeedCore
import FeedStore

/// The followers of an account and the accounts it follows.
struct FollowListController: Sendable {
    let follows: FollowStore
    let accounts: AccountStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.accounts + "/:id/followers", .optional(.readAccounts)) { request, context in
            try await list(request, context) { try await follows.followers(of: $0, page: $1, for: $2) }
        }
        endpoints.get(Paths.accounts + "/:id/following", .optional(.readAccounts)) { request, context in
            try await list(request, context) { try await follows.following(of: $0, page: $1, for: $2) }
        }
    }

    private func list(
        _ request: Request, _ context: FeedContext, _ fetch: (Int64, Pagination, Int64?) async throws -> [Account]
    ) async throws -> Response {
        let viewer = context.viewer
        guard let account = try await accounts.accounts(ids: [context.id()]).first else {
            throw FeedError.notFound
        }
        let page = try Pagination.list(request.query, limits: settings.limits)
        guard account.showsCollections(to: viewer?.account.id) else {
            return try Response(with: [Account](), page: page, to: request, contexts.make(for: request))
        }
        let fetched = try await fetch(account.id, page.fetchingOneExtra, viewer?.account.id)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request))
    }
}
