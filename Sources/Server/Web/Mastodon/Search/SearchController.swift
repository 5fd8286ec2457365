import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// Search for accounts and hashtags by name, for statuses by their texts, and for accounts and statuses by address.
struct SearchController: Sendable {
    let finder: Finder
    let tagEntities: TagEntities
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/accounts/search", .account(.readAccounts), use: accounts)
        endpoints.get(Paths.search, .optional(.readSearch), use: everything)
    }

    @Sendable func accounts(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try contexts.make(for: request)
        let search = try SearchInput(request.query, Pagination.list(request.query, limits: settings.limits))
        let matches = try await finder.accounts(search, on: BaseURL.host(entities.base), for: viewer.account.id)
        var json = JSONWriter(capacity: 1024 * (1 + matches.count))
        json.array { for account in matches { $0.account(account, entities) } }
        return Response(json: json)
    }

    /// Accounts, statuses and hashtags, or what an address names.
    @Sendable func everything(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
        let input = try request.query
        guard viewer != nil || !(input.flag("resolve") ?? false) && input["offset"] == nil else {
            throw FeedError(.unauthorized, "Search with offset or resolve requires a login")
        }
        let entities = try await contexts.make(for: request, filtering: nil, for: viewer)
        let search = try SearchInput(input, Pagination(input, limits: settings.limits))
        try search.check()
        let (host, id) = (BaseURL.host(entities.base), viewer?.account.id)
        let accounts = search.wants(.accounts) ? try await finder.accounts(search, on: host, for: id) : []
        let tags = search.wants(.hashtags) ? try await finder.tags(search) : []
        let statuses = search.wants(.statuses) ? try await finder.statuses(search, on: host, for: id) : FoundStatuses()
        let followed = try await tagEntities.followed(by: viewer)
        let histories = try await tagEntities.histories(of: tags)
        var json = JSONWriter(capacity: 1024 * (1 + accounts.count + 2 * statuses.statuses.count))
        json.object {
            $0.array("accounts") { for account in accounts { $0.account(account, entities) } }
            $0.key("statuses")
            $0.statuses(statuses.statuses, entities, viewer: viewer)
            $0.array("hashtags") { json in
                for tag in tags { json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), entities) }
            }
        }
        let links = PageLinks(base: entities.base, request: request)
            .header(newest: nil, oldest: statuses.statuses.last?.id, hasOlder: statuses.hasOlder && search.kind != nil)
        var response = Response(json: json, links: links)
        if statuses.isIncomplete { response.headers[.searchIncomplete] = "true" }
        return response
    }
}
