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

    @Sendable func follow(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let update = FollowUpdate(
            showsReblogs: input.flag("reblogs"), notifies: input.flag("notify"), languages: try Self.languages(input))
        let target = try context.id()
        try await follows.follow(target, by: viewer.account.id, update)
        return try await relationships.response(of: viewer, to: target)
    }

    /// Reads `languages`; an empty list removes the restriction.
    private static func languages(_ input: InputValues) throws(FeedError) -> [String]? {
        let words = input.all("languages").filter { !$0.isEmpty }
        if words.isEmpty, !input.isEmptyList("languages") { return nil }
        return try FollowRule.languages(words)
    }

    @Sendable func unfollow(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.unfollow(target, by: viewer)
        }
    }

    @Sendable func removeFollower(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await follows.removeFollower(target, from: viewer)
        }
    }
}
