import FeedAPI
import FeedCore
import FeedStore

/// Hashtags and statuses that many people currently use or like. Links do not trend, because the server does not read
/// them.
struct TrendController: Sendable {
    private static let standardTags = 10
    private static let maximumTags = 20
    private static let standardStatuses = 20

    let trends: TrendStore
    let statuses: StatusStore
    let tagEntities: TagEntities
    let contexts: EntityContexts

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/trends", .optional(.readStatuses), use: tags)
        endpoints.get("/api/v1/trends/tags", .optional(.readStatuses), use: tags)
        endpoints.get("/api/v1/trends/statuses", .optional(.readStatuses), use: statuses)
    }

    @Sendable func tags(_ request: Request, _ context: RequestContext) async throws -> Response {
        let part = try Part(request.query, standard: Self.standardTags, maximum: Self.maximumTags)
        let tags = part.of(try await trends.tags())
        return try await tagEntities.response(with: tags, to: request, context)
    }

    /// Only public statuses that the viewer gets to see in lists.
    @Sendable func statuses(_ request: Request, _ context: RequestContext) async throws -> Response {
        let part = try Part(request.query, standard: Self.standardStatuses, maximum: TrendRanking.maximum)
        let ids = part.of(try await trends.statuses())
        let trending = try await statuses.listed(ids: ids, for: context.viewer?.account.id)
            .filter { $0.account.isDiscoverable }
        let entities = try await contexts.make(for: request, filtering: .public, for: context.viewer)
        var json = JSONWriter(capacity: 2048 * (1 + trending.count))
        json.statuses(trending, entities, viewer: context.viewer)
        return Response(json: json)
    }

    /// A part of a list.
    private struct Part {
        let limit: Int
        let offset: Int

        init(_ input: RequestParameters, standard: Int, maximum: Int) {
            limit = input.count(.limit, standard: standard, maximum: maximum)
            offset = input.count(.offset, standard: 0, maximum: TrendRanking.maximum, minimum: 0)
        }

        func of<Element>(_ list: [Element]) -> [Element] { Array(list.dropFirst(offset).prefix(limit)) }
    }
}
