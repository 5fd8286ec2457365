import FeedAPI
import FeedCore
import FeedStore

/// Following and unfollowing.
struct FollowController: Sendable {
    let follows: FollowStore
    let relationships: Relationships
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post(Paths.accounts + "/:id/follow", .account(.writeFollows), use: follow)
        endpoints.post(Paths.accounts + "/:id/unfollow", .account(.writeFollows), use: unfollow)
        endpoints.post(Paths.accounts + "/:id/remove_from_followers", .account(.writeFollows), use: removeFollower)
    }

    @Sendable func follow(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let update = FollowUpdate(
            showsReblogs: input.flag("reblogs"), notifies: input.flag("notify"), languages: try Self.languages(input))
        let target = try context.id()
        try await follows.follow(target, by: viewer.account.id, update)
        return try await relationships.response(of: viewer, to: target)
    }

    /// Reads `languages`; an empty list removes the restriction.
    private static func languages(_ input: RequestParameters) throws(FeedError) -> [String]? {
        let words = input.all("languages").filter { !$0.isEmpty }
        if words.isEmpty, !input.isEmptyList("languages") { return nil }
        return try FollowRule.languages(words)
    }

    @Sendable func unfollow(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.unfollow(target, by: viewer)
        }
    }

    @Sendable func removeFollower(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.removeFollower(target, from: viewer)
        }
    }
}

/// The followers of an account and the accounts it follows.
struct FollowListController: Sendable {
    let follows: FollowStore
    let accounts: AccountStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.accounts + "/:id/followers", .optional(.readAccounts)) { request, context in
            try await list(request, context) { try await follows.followers(of: $0, page: $1, for: $2) }
        }
        endpoints.get(Paths.accounts + "/:id/following", .optional(.readAccounts)) { request, context in
            try await list(request, context) { try await follows.following(of: $0, page: $1, for: $2) }
        }
    }

    private func list(
        _ request: Request, _ context: RequestContext, _ fetch: (Int64, Pagination, Int64?) async throws -> [Account]
    ) async throws -> Response {
        let viewer = context.viewer
        guard let account = try await accounts.accounts(ids: [context.id()]).first else {
            throw FeedError.notFound
        }
        let page = try Pagination.list(request.query, limits: settings.limits)
        guard account.showsCollections(to: viewer?.account.id) else {
            return try Response(with: [Account](), page: page, to: request, contexts.make(for: request))
        }
        let fetched = try await fetch(account.id, page.fetchingOneExtra, viewer?.account.id)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request))
    }
}

/// The followers of accounts whom the viewer follows, too.
struct FamiliarFollowerController: Sendable {
    /// The maximum number of accounts per request.
    private static let maximumIDs = 20

    let follows: FollowStore
    let accounts: AccountStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/accounts/familiar_followers", .account(.readFollows), use: list)
    }

    /// Unknown ids are omitted. Mastodon.py sends the ids as a body.
    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require().account.id
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let accounts = try await accounts.accounts(ids: try input.ids(upTo: Self.maximumIDs))
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 4096)
        var familiar: [(id: Int64, followers: [Account])] = []
        for account in accounts { familiar.append((account.id, try await followers(of: account, for: viewer))) }
        json.array {
            for (id, followers) in familiar { $0.familiarFollowers(followers, of: id, entities) }
        }
        return Response(json: json)
    }

    private func followers(of account: Account, for viewer: Int64) async throws -> [Account] {
        guard account.showsCollections(to: viewer) else { return [] }
        return try await follows.familiarFollowers(of: account.id, for: viewer)
    }
}

extension JSONWriter {
    /// Writes a FamiliarFollowers entity.
    fileprivate mutating func familiarFollowers(_ followers: [Account], of id: Int64, _ entities: EntityContext) {
        object {
            $0.field("id", id: id)
            $0.array("accounts") { for follower in followers { $0.account(follower, entities) } }
        }
    }
}

/// Pending requests to follow the viewer.
struct FollowRequestController: Sendable {
    let follows: FollowStore
    let relationships: Relationships
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.followRequests, .account(.readFollows), use: list)
        endpoints.post(Paths.followRequests + "/:id/authorize", .account(.writeFollows), use: accept)
        endpoints.post(Paths.followRequests + "/:id/reject", .account(.writeFollows), use: reject)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: settings.limits)
        let fetched = try await follows.requests(to: viewer.account.id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            $0.account($1.account, $2)
        }
    }

    @Sendable func accept(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.accept(target, by: viewer)
        }
    }

    @Sendable func reject(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.reject(target, by: viewer)
        }
    }
}
