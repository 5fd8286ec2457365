import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

/// Statuses one by one.
struct StatusController: Sendable {
    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.get("/api/v1/statuses/:id", use: show)
        router.post("/api/v1/statuses", use: post)
        router.delete("/api/v1/statuses/:id", use: delete)
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.reader(of: request, scope: "read:statuses")
        guard let status = try await services.statuses.status(id: try context.id(), for: viewer?.account.id) else {
            throw FeedError.notFound
        }
        return try answer(status, to: request, viewer: viewer)
    }

    @Sendable func post(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.require(request, scope: "write:statuses")
        let input = try await request.input(limits: services.limits, context: context)
        var draft = try Self.draft(input, viewer)
        draft.idempotencyKey = try Self.key(request)
        let status = try await services.posting.post(draft, by: viewer.account)
        return try answer(status, to: request, viewer: viewer)
    }

    /// Answers with the status and its text, so that it can be written anew.
    @Sendable func delete(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.require(request, scope: "write:statuses")
        guard let status = try await services.statuses.delete(id: try context.id(), by: viewer.account.id) else {
            throw FeedError.notFound
        }
        var json = JSONWriter(capacity: 2048)
        let entities = Entities(base: try services.baseURL.text(for: request))
        json.status(status, entities, viewer: viewer) { $0.field("text", status.text) }
        return Response(json: json)
    }

    private static func key(_ request: Request) throws(FeedError) -> String? {
        guard let key = HTTPField.Name("Idempotency-Key").flatMap({ request.headers[$0] }), !key.isEmpty else {
            return nil
        }
        guard key.utf8.count <= 200 else { throw .malformed("The Idempotency-Key is longer than 200 bytes") }
        return key
    }

    private static func draft(_ input: InputValues, _ viewer: Viewer) throws(FeedError) -> StatusDraft {
        var draft = StatusDraft(text: input["status"] ?? "")
        draft.spoilerText = input["spoiler_text"] ?? ""
        draft.sensitive = input.flag("sensitive") ?? false
        draft.language = input["language"].flatMap { $0.isEmpty ? nil : String($0.prefix(20)) }
        draft.source = viewer.application
        draft.inReplyToID = try input.id("in_reply_to_id")
        if let word = input["visibility"], !word.isEmpty {
            guard let visibility = Visibility(word: word) else {
                throw .invalid("Visibility is not included in the list")
            }
            draft.visibility = visibility
        }
        return draft
    }

    private func answer(_ status: Status, to request: Request, viewer: Viewer?) throws -> Response {
        var json = JSONWriter(capacity: 2048)
        json.status(status, Entities(base: try services.baseURL.text(for: request)), viewer: viewer)
        return Response(json: json)
    }
}
