import FeedAPI
import FeedCore
import FeedStore

/// The accounts that an account shows on its profile.
struct EndorsementController: Sendable {
    let endorsements: EndorsementStore
    let accounts: AccountStore
    let relationships: Relationships
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        for verb in ["endorse", "pin"] {
            endpoints.post("/api/v1/accounts/:id/\(verb)", .account(.writeAccounts), use: endorse)
            endpoints.post("/api/v1/accounts/:id/un\(verb)", .account(.writeAccounts), use: unendorse)
        }
        endpoints.get("/api/v1/endorsements", .account(.readAccounts)) { request, context in
            try await list(of: try context.require().account.id, request, context)
        }
        endpoints.get(Paths.accounts + "/:id/endorsements", .optional(.readAccounts)) { request, context in
            guard let account = try await accounts.accounts(ids: [context.id()]).first else {
                throw FeedError.notFound
            }
            return try await list(of: account.id, request, context)
        }
    }

    @Sendable func endorse(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await endorsements.endorse(target, by: viewer)
        }
    }

    @Sendable func unendorse(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await endorsements.unendorse(target, by: viewer)
        }
    }

    private func list(of account: Int64, _ request: Request, _ context: RequestContext) async throws -> Response {
        let page = try Pagination.list(request.query, limits: settings.limits)
        let fetched = try await endorsements.endorsements(
            of: account, page: page.fetchingOneExtra, for: context.viewer?.account.id)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            $0.account($1.account, $2)
        }
    }
}
