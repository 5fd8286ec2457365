import FeedAPI
import FeedCore
import Hummingbird

/// Hashtags.
struct TagController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/tags/:name", .optional(.readStatuses), use: show)
    }

    /// A hashtag that nobody has used yet exists, too, so that people can follow it.
    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await respond(with: try tag(in: context), to: request, context)
    }

    /// The hashtag in the path, in lowercase.
    /// - Throws: ``FeedError`` `.notFound` if no status can contain it.
    private func tag(in context: FeedContext) throws -> String {
        guard let name = Hashtag.name(try context.segment("name")) else { throw FeedError.notFound }
        return name.lowercased()
    }

    private func respond(with tag: String, to request: Request, _ context: FeedContext) async throws -> Response {
        let histories = try await services.histories(of: [tag])
        var json = JSONWriter(capacity: 1024)
        json.tag(tag, histories[tag], isFollowed: nil, try services.entities(for: request))
        return Response(json: json)
    }
}

extension Services {
    /// How often hashtags were used during the last days, by their name.
    func histories(of tags: [String]) async throws -> [String: TagHistory] {
        let histories = try await stores.tags.histories(of: tags)
        return Dictionary(histories.map { ($0.tag, $0) }) { first, _ in first }
    }

    /// Responds with Tag entities.
    /// - Parameter tags: Hashtags in lowercase.
    func response(withTags tags: [String], to request: Request, _ context: FeedContext) async throws -> Response {
        let histories = try await histories(of: tags)
        let entities = try entities(for: request)
        var json = JSONWriter(capacity: 1024 * (1 + tags.count))
        json.array { json in for tag in tags { json.tag(tag, histories[tag], isFollowed: nil, entities) } }
        return Response(json: json)
    }
}
