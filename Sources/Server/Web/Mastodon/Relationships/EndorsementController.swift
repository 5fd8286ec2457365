import FeedAPI
import FeedCore

/// The accounts that an account shows on its profile.
struct EndorsementController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        for verb in ["endorse", "pin"] {
            endpoints.post("/api/v1/accounts/:id/\(verb)", .account(.writeAccounts), use: endorse)
            endpoints.post("/api/v1/accounts/:id/un\(verb)", .account(.writeAccounts), use: unendorse)
        }
        endpoints.get("/api/v1/endorsements", .account(.readAccounts)) { request, context in
            try await list(of: try context.require().account.id, request, context)
        }
        endpoints.get("/api/v1/accounts/:id/endorsements", .optional(.readAccounts)) { request, context in
            guard let account = try await services.stores.accounts.accounts(ids: [context.id()]).first else {
                throw FeedError.notFound
            }
            return try await list(of: account.id, request, context)
        }
    }

    @Sendable func endorse(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.endorsements.endorse(target, by: viewer)
        }
    }

    @Sendable func unendorse(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.endorsements.unendorse(target, by: viewer)
        }
    }

    private func list(of account: Int64, _ request: Request, _ context: FeedContext) async throws -> Response {
        let page = try Pagination.list(request.query, limits: services.limits)
        let fetched = try await services.stores.endorsements.endorsements(
            of: account, page: page.withProbe, for: context.viewer?.account.id)
        return try services.response(with: fetched, page: page, to: request, id: \.id) { $0.account($1.account, $2) }
    }
}
