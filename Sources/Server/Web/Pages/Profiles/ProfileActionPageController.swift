import FeedCore
import FeedStore
import HTTPTypes

/// Actions of members on somebody else, by the forms of a profile: `/@NAME/follow` and so on.
struct ProfileActionPageController: Sendable {
    private typealias Action = @Sendable (_ target: Int64, _ viewer: Int64, RequestParameters) async throws -> Void

    let accounts: AccountStore
    let follows: FollowStore
    let mutes: MuteStore
    let blocks: BlockStore
    let errors: ErrorPage
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        addFollows(to: endpoints)
        add("accept", .writeFollows, to: endpoints) { try await follows.accept($0, by: $1) }
        add("reject", .writeFollows, to: endpoints) { try await follows.reject($0, by: $1) }
        add("remove_follower", .writeFollows, to: endpoints) { try await follows.removeFollower($0, from: $1) }
        add("mute", .writeMutes, to: endpoints) { target, viewer, input in
            try await mutes.mute(target, by: viewer, try Mute(input, now: clock.now()))
        }
        add("unmute", .writeMutes, to: endpoints) { try await mutes.unmute($0, by: $1) }
        add("block", .writeBlocks, to: endpoints) { try await blocks.block($0, by: $1) }
        add("unblock", .writeBlocks, to: endpoints) { try await blocks.unblock($0, by: $1) }
    }

    private func addFollows(to endpoints: Endpoints) {
        let updates: [(String, FollowUpdate)] = [
            ("follow", FollowUpdate()), ("notify", FollowUpdate(notifies: true)),
            ("unnotify", FollowUpdate(notifies: false)), ("show_boosts", FollowUpdate(showsReblogs: true)),
            ("hide_boosts", FollowUpdate(showsReblogs: false)),
        ]
        for (verb, update) in updates {
            add(verb, .writeFollows, to: endpoints) { try await follows.follow($0, by: $1, update) }
        }
        add("unfollow", .writeFollows, to: endpoints) { try await follows.unfollow($0, by: $1) }
    }

    private func add(
        _ verb: String, _ scope: Scope, to endpoints: Endpoints,
        _ action: @escaping @Sendable (_ target: Int64, _ viewer: Int64) async throws -> Void
    ) {
        add(verb, scope, to: endpoints) { target, viewer, _ in try await action(target, viewer) }
    }

    private func add(_ verb: String, _ scope: Scope, to endpoints: Endpoints, _ action: @escaping Action) {
        endpoints.post("/@{name}/" + verb, .member(scope)) { request, context in
            try await errors.form {
                let viewer = try context.require().account
                let input = try await request.input(upTo: settings.limits.formBytes, context: context)
                let target = try await accounts.requireOther(try context.segment("name"), than: viewer)
                try await action(target.id, viewer.id, input)
                return .redirect(after: input, to: "/@" + target.username)
            }
        }
    }
}

extension AccountStore {
    /// The account with a name, about which the viewer does something.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for the viewer's own account.
    func requireOther(_ name: String, than viewer: Account) async throws -> Account {
        let target = try await requireShown(name)
        guard target.id != viewer.id else { throw FeedError.ownAccount }
        return target
    }
}

extension Response {
    /// Sends the browser to a page after a form, so that a reload does not repeat it.
    /// - Parameters:
    ///   - input: The form, whose field `next` may name another page of this server.
    ///   - path: The page, unless the form names one.
    static func redirect(after input: RequestParameters, to path: String) -> Response {
        let next = input["next"].flatMap(LocalPath.init) ?? LocalPath(path) ?? .home
        return Response(status: .seeOther, headers: [.location: next.text])
    }
}
