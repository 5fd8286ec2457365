import FeedAPI
import FeedCore
import Hummingbird

/// Following and unfollowing.
struct FollowController: Sendable {
    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.post("/api/v1/accounts/:id/follow") { try await change($0, $1, follows: true) }
        router.post("/api/v1/accounts/:id/unfollow") { try await change($0, $1, follows: false) }
    }

    private func change(_ request: Request, _ context: FeedContext, follows: Bool) async throws -> Response {
        let viewer = try await services.require(request, scope: "write:follows")
        guard let account = try await services.accounts.account(id: try context.id()), account.suspendedAt == nil else {
            throw FeedError.notFound
        }
        guard account.id != viewer.account.id else { throw FeedError(.forbidden, "This action is not allowed") }
        if follows {
            try await services.follows.follow(account.id, by: viewer.account.id)
        } else {
            try await services.follows.unfollow(account.id, by: viewer.account.id)
        }
        var json = JSONWriter()
        json.relationship(
            to: account.id, try await services.follows.relationship(of: viewer.account.id, to: account.id))
        return Response(json: json)
    }
}

extension JSONWriter {
    /// Writes a Relationship entity.
    mutating func relationship(to id: Int64, _ relationship: Relationship) {
        object {
            $0.field("id", id: id)
            $0.field("following", relationship.isFollowing)
            $0.field("showing_reblogs", relationship.isFollowing)
            $0.field("notifying", false)
            $0.field("languages", nil)
            $0.field("followed_by", relationship.isFollowed)
            for name: StaticString in [
                "blocking", "blocked_by", "muting", "muting_notifications", "requested", "requested_by",
                "domain_blocking",
                "endorsed",
            ] { $0.field(name, false) }
            $0.field("note", "")
        }
    }
}
