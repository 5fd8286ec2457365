import FeedAPI
import FeedCore
import FeedStore

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
    @Sendable func list(_ request: Request, _ context: FeedContext) async throws -> Response {
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
