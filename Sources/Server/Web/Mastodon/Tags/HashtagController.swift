import FeedAPI
import FeedCore
import Hummingbird

/// Single hashtags.
struct HashtagController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/tags/:tag", .optional(.readFollows), use: show)
    }

    /// A hashtag that nobody has used yet exists, too, so that people can follow it.
    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let name = Hashtag.name(try context.segment("tag")) else { throw FeedError.notFound }
        let histories = try await services.stores.tags.histories(of: [name.lowercased()])
        let entities = try services.entities(for: request)
        var json = JSONWriter(capacity: 1024)
        for history in histories { json.tag(history, entities) }
        return Response(json: json)
    }
}
