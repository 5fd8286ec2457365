import FeedAPI
import FeedCore
import Hummingbird

/// Accounts one by one.
struct AccountController: Sendable {
    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.get("/api/v1/accounts/verify_credentials", use: verifyCredentials)
        router.get("/api/v1/accounts/:id", use: show)
    }

    @Sendable func verifyCredentials(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.require(request, scope: "read:accounts")
        var json = JSONWriter()
        json.credentialAccount(viewer.account, Entities(base: try services.baseURL.text(for: request)))
        return Response(json: json)
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        _ = try await services.viewer(of: request)
        guard let account = try await services.accounts.account(id: try context.id()), account.suspendedAt == nil else {
            throw FeedError.notFound
        }
        var json = JSONWriter()
        json.account(account, Entities(base: try services.baseURL.text(for: request)))
        return Response(json: json)
    }
}
