import FeedAPI
import FeedCore
import FeedStore

/// Approves and rejects sign-ups, for administrators: `/api/v1/admin/accounts/:id/approve` and `reject`.
struct ApprovalController: Sendable {
    let registrations: RegistrationStore
    let contexts: EntityContexts

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/admin/accounts/:id/approve", .admin(.adminWriteAccounts), use: approve)
        endpoints.post("/api/v1/admin/accounts/:id/reject", .admin(.adminWriteAccounts), use: reject)
    }

    @Sendable func approve(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try await registrations.approve(try context.id())
        try context.log("a sign-up was approved", about: account)
        return try response(account, reason: nil, request)
    }

    /// Responds with the account as it was before it was deleted.
    @Sendable func reject(_ request: Request, _ context: FeedContext) async throws -> Response {
        let signUp = try await registrations.reject(try context.id())
        try context.log("a sign-up was rejected", about: signUp.account)
        return try response(signUp.account, reason: signUp.reason, request)
    }

    private func response(_ account: Account, reason: String?, _ request: Request) throws -> Response {
        var json = JSONWriter(capacity: 2048)
        json.adminAccount(account, try contexts.make(for: request), reason: reason)
        return Response(json: json)
    }
}
