import FeedAPI
import FeedCore
import Hummingbird
import Logging

/// Approves and rejects sign-ups, for administrators: `/api/v1/admin/accounts/:id/approve` and `reject`.
struct ApprovalController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/admin/accounts/:id/approve", .account(.adminWriteAccounts), use: approve)
        endpoints.post("/api/v1/admin/accounts/:id/reject", .account(.adminWriteAccounts), use: reject)
    }

    @Sendable func approve(_ request: Request, _ context: FeedContext) async throws -> Response {
        let admin = try Self.requireAdmin(context)
        let account = try await services.stores.registrations.approve(try context.id())
        context.logger.notice(
            "a sign-up was approved", metadata: ["username": "\(account.username)", "by": "\(admin.username)"])
        return try response(SignUpEntity(account: account, isPending: false, reason: ""), request)
    }

    /// Responds with the account as it was before it was deleted.
    @Sendable func reject(_ request: Request, _ context: FeedContext) async throws -> Response {
        let admin = try Self.requireAdmin(context)
        let signUp = try await services.stores.registrations.reject(try context.id())
        context.logger.notice(
            "a sign-up was rejected", metadata: ["username": "\(signUp.account.username)", "by": "\(admin.username)"])
        return try response(SignUpEntity(account: signUp.account, isPending: true, reason: signUp.reason), request)
    }

    private func response(_ entity: SignUpEntity, _ request: Request) throws -> Response {
        var json = JSONWriter(capacity: 2048)
        json.adminAccount(entity, try services.entities(for: request))
        return Response(json: json)
    }

    private static func requireAdmin(_ context: FeedContext) throws(FeedError) -> Account {
        let account = try context.require().account
        guard account.role == .admin else { throw .notAllowed }
        return account
    }
}
