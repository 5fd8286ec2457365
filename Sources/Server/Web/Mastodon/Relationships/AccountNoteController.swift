import FeedAPI
import FeedCore

/// The viewer's private notes about accounts.
struct AccountNoteController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/accounts/:id/note", .account(.writeAccounts), use: note)
    }

    @Sendable func note(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try await request.input(upTo: services.limits.longFormBytes, context: context)
        let comment = try input.one("comment") ?? ""
        return try await services.relate(context) { viewer, target in
            try await services.stores.notes.note(comment, about: target, by: viewer)
        }
    }
}
