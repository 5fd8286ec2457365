import FeedAPI
import FeedCore
import FeedStore

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
