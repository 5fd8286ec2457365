import FeedAPI
import FeedCore

/// Following and unfollowing.
struct FollowController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/accounts/:id/follow", .account(.writeFollows), use: follow)
        endpoints.post("/api/v1/accounts/:id/unfollow", .account(.writeFollows), use: unfollow)
        endpoints.post("/api/v1/accounts/:id/remove_from_followers", .account(.writeFollows), use: removeFollower)
    }

    @Sendable func follow(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: services.limits.formBytes, context: context)
        let update = FollowUpdate(
            showsReblogs: input.flag("reblogs"), notifies: input.flag("notify"), languages: try Self.languages(input))
        let target = try context.id()
        try await services.stores.follows.follow(target, by: viewer.account.id, update)
        return try await services.relationship(of: viewer, to: target)
    }

    /// Reads `languages`; an empty list removes the restriction.
    private static func languages(_ input: InputValues) throws(FeedError) -> [String]? {
        let words = input.all("languages").filter { !$0.isEmpty }
        if words.isEmpty, !input.isEmptyList("languages") { return nil }
        return try FollowRule.languages(words)
    }

    @Sendable func unfollow(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.follows.unfollow(target, by: viewer)
        }
    }

    @Sendable func removeFollower(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await services.relate(context) { viewer, target in
            try await services.stores.follows.removeFollower(target, from: viewer)
        }
    }
}
