import FeedAPI
import FeedCore
import FeedStore

/// Hashtags, and which of them the viewer follows.
struct TagController: Sendable {
    /// The default and maximum number of hashtags per page, as in Mastodon.
    private static let pageDefault = 100
    private static let pageMaximum = 200

    let tagFollows: FollowedTagStore
    let tagEntities: TagEntities
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.tags + "/:name", .optional(.readStatuses), use: show)
        endpoints.post(Paths.tags + "/:name/follow", .account(.writeFollows), use: follow)
        endpoints.post(Paths.tags + "/:name/unfollow", .account(.writeFollows), use: unfollow)
        endpoints.get(Paths.followedTags, .account(.readFollows), use: followed)
    }

    /// A hashtag that nobody has used yet exists, too, so that people can follow it.
    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await respond(with: try tag(in: context), to: request, context)
    }

    @Sendable func follow(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, tag) = (try context.require(), try tag(in: context))
        try await tagFollows.follow(tag: tag, by: viewer.account.id)
        return try await respond(with: tag, to: request, context)
    }

    @Sendable func unfollow(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, tag) = (try context.require(), try tag(in: context))
        try await tagFollows.unfollow(tag: tag, by: viewer.account.id)
        return try await respond(with: tag, to: request, context)
    }

    @Sendable func followed(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination(
            request.query, limits: settings.limits, standard: Self.pageDefault, maximum: Self.pageMaximum)
        let fetched = try await tagFollows.followedTags(by: viewer.account.id, page: page.fetchingOneExtra)
        let histories = try await tagEntities.histories(of: fetched.map(\.name))
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            json, tag, entities in
            json.tag(tag.name, histories[tag.name], isFollowed: true, entities)
        }
    }

    /// The key of the hashtag in the path.
    /// - Throws: ``FeedError`` `.notFound` if no status can contain it.
    private func tag(in context: RequestContext) throws -> String {
        guard let name = Hashtag.name(try context.segment("name")) else { throw FeedError.notFound }
        return Hashtag.key(name)
    }

    private func respond(with tag: String, to request: Request, _ context: RequestContext) async throws -> Response {
        let followed = try await tagEntities.followed(by: context.viewer)
        let histories = try await tagEntities.histories(of: [tag])
        var json = JSONWriter(capacity: 1024)
        json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), try contexts.make(for: request))
        return Response(json: json)
    }
}

/// Reads what Tag entities consist of, and responds with them.
struct TagEntities: Sendable {
    let tags: TagStore
    let follows: FollowedTagStore
    let contexts: EntityContexts

    /// The hashtags that the viewer follows; `nil` without a viewer.
    func followed(by viewer: Viewer?) async throws -> Set<String>? {
        guard let viewer else { return nil }
        return try await follows.followedNames(by: viewer.account.id)
    }

    /// The use of hashtags during the last days, keyed by their name.
    func histories(of tags: [String]) async throws -> [String: TagHistory] {
        let histories = try await self.tags.histories(of: tags)
        return Dictionary(histories.map { ($0.tag, $0) }) { first, _ in first }
    }

    /// Responds with Tag entities.
    /// - Parameter tags: The keys of hashtags.
    func response(with tags: [String], to request: Request, _ context: RequestContext) async throws -> Response {
        let histories = try await histories(of: tags)
        let followed = try await followed(by: context.viewer)
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 1024 * (1 + tags.count))
        json.array { json in
            for tag in tags { json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), entities) }
        }
        return Response(json: json)
    }
}

/// The hashtags that accounts show on their profiles.
struct FeaturedTagController: Sendable {
    let tags: FeaturedTagStore
    let accounts: AccountStore
    let tagEntities: TagEntities
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/featured_tags", .account(.readAccounts), use: list)
        endpoints.post("/api/v1/featured_tags", .account(.writeAccounts), use: feature)
        endpoints.get("/api/v1/featured_tags/suggestions", .account(.readAccounts), use: suggestions)
        endpoints.delete("/api/v1/featured_tags/:id", .account(.writeAccounts), use: unfeature)
        endpoints.get(Paths.accounts + "/:id/featured_tags", .optional(.readAccounts), use: listOfAccount)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await response(for: try context.require().account.id, request)
    }

    @Sendable func listOfAccount(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let account = try await accounts.accounts(ids: [context.id()]).first else {
            throw FeedError.notFound
        }
        return try await response(for: account.id, request)
    }

    @Sendable func feature(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard let name = Hashtag.name(try input.one("name") ?? "") else {
            throw FeedError.invalid("Tag is invalid")
        }
        let tag = try await tags.feature(name, by: viewer.account.id)
        var json = JSONWriter(capacity: 256)
        json.featured(tag, try contexts.make(for: request))
        return Response(json: json)
    }

    @Sendable func unfeature(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await tags.unfeature(try context.id(), by: viewer.account.id)
        return .emptyObject
    }

    @Sendable func suggestions(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let tags = try await tags.suggestedTags(for: viewer.account.id)
        return try await tagEntities.response(with: tags, to: request, context)
    }

    private func response(for account: Int64, _ request: Request) async throws -> Response {
        let tags = try await tags.featured(by: account)
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 256 * (1 + tags.count))
        json.array { for tag in tags { $0.featured(tag, entities) } }
        return Response(json: json)
    }
}
