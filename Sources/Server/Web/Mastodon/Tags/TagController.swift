import FeedAPI
import FeedCore

/// Hashtags, and which of them the viewer follows.
struct TagController: Sendable {
    /// The default and maximum number of hashtags per page, as in Mastodon.
    private static let pageDefault = 100
    private static let pageMaximum = 200

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/tags/:name", .optional(.readStatuses), use: show)
        endpoints.post("/api/v1/tags/:name/follow", .account(.writeFollows), use: follow)
        endpoints.post("/api/v1/tags/:name/unfollow", .account(.writeFollows), use: unfollow)
        endpoints.get("/api/v1/followed_tags", .account(.readFollows), use: followed)
    }

    /// A hashtag that nobody has used yet exists, too, so that people can follow it.
    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await respond(with: try tag(in: context), to: request, context)
    }

    @Sendable func follow(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (viewer, tag) = (try context.require(), try tag(in: context))
        try await services.stores.tagFollows.follow(tag: tag, by: viewer.account.id)
        return try await respond(with: tag, to: request, context)
    }

    @Sendable func unfollow(_ request: Request, _ context: FeedContext) async throws -> Response {
        let (viewer, tag) = (try context.require(), try tag(in: context))
        try await services.stores.tagFollows.unfollow(tag: tag, by: viewer.account.id)
        return try await respond(with: tag, to: request, context)
    }

    @Sendable func followed(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination(
            request.query, limits: services.limits, standard: Self.pageDefault, maximum: Self.pageMaximum)
        let fetched = try await services.stores.tagFollows.followedTags(by: viewer.account.id, page: page.withProbe)
        let histories = try await services.histories(of: fetched.map(\.name))
        return try services.response(with: fetched, page: page, to: request, id: \.id) { json, tag, entities in
            json.tag(tag.name, histories[tag.name], isFollowed: true, entities)
        }
    }

    /// The key of the hashtag in the path.
    /// - Throws: ``FeedError`` `.notFound` if no status can contain it.
    private func tag(in context: FeedContext) throws -> String {
        guard let name = Hashtag.name(try context.segment("name")) else { throw FeedError.notFound }
        return Hashtag.key(name)
    }

    private func respond(with tag: String, to request: Request, _ context: FeedContext) async throws -> Response {
        let followed = try await services.followedTags(by: context.viewer)
        let histories = try await services.histories(of: [tag])
        var json = JSONWriter(capacity: 1024)
        json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), try services.entities(for: request))
        return Response(json: json)
    }
}

extension Services {
    /// The hashtags that the viewer follows; `nil` without a viewer.
    func followedTags(by viewer: Viewer?) async throws -> Set<String>? {
        guard let viewer else { return nil }
        return try await stores.tagFollows.followedNames(by: viewer.account.id)
    }

    /// How often hashtags were used during the last days, by their name.
    func histories(of tags: [String]) async throws -> [String: TagHistory] {
        let histories = try await stores.tags.histories(of: tags)
        return Dictionary(histories.map { ($0.tag, $0) }) { first, _ in first }
    }

    /// Responds with Tag entities.
    /// - Parameter tags: The keys of hashtags.
    func response(withTags tags: [String], to request: Request, _ context: FeedContext) async throws -> Response {
        let histories = try await histories(of: tags)
        let followed = try await followedTags(by: context.viewer)
        let entities = try entities(for: request)
        var json = JSONWriter(capacity: 1024 * (1 + tags.count))
        json.array { json in
            for tag in tags { json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), entities) }
        }
        return Response(json: json)
    }
}
