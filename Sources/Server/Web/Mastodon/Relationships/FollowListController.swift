import FeedAPI
import FeedCore

/// The followers of an account and the accounts it follows.
struct FollowListController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/accounts/:id/followers", .optional(.readAccounts)) { request, context in
            try await list(request, context) { try await services.stores.follows.followers(of: $0, page: $1, for: $2) }
        }
        endpoints.get("/api/v1/accounts/:id/following", .optional(.readAccounts)) { request, context in
            try await list(request, context) { try await services.stores.follows.following(of: $0, page: $1, for: $2) }
        }
    }

    private func list(
        _ request: Request, _ context: FeedContext, _ fetch: (Int64, Pagination, Int64?) async throws -> [Account]
    ) async throws -> Response {
        let viewer = context.viewer
        guard let account = try await services.stores.accounts.accounts(ids: [context.id()]).first else {
            throw FeedError.notFound
        }
        let page = try Pagination.list(request.query, limits: services.limits)
        guard account.showsCollections(to: viewer?.account.id) else {
            return try services.response(with: [Account](), page: page, to: request)
        }
        return try services.response(
            with: try await fetch(account.id, page.withProbe, viewer?.account.id), page: page, to: request)
    }
}
