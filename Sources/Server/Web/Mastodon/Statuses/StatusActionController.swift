import FeedAPI
import FeedCore
import FeedStore

/// Actions on a status (favourite, boost, bookmark, pin, mute the conversation) and the accounts that performed them.
struct StatusActionController: Sendable {
    private static let marks: [(verb: String, mark: StatusMark, scope: Scope)] = [
        ("favourite", .favourite, .writeFavourites), ("bookmark", .bookmark, .writeBookmarks),
        ("pin", .pin, .writeAccounts), ("mute", .conversationMute, .writeMutes),
    ]

    let statuses: StatusStore
    let boosts: BoostStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        for (verb, mark, scope) in Self.marks {
            for isSet in [true, false] {
                endpoints.post("/api/v1/statuses/:id/\(isSet ? "" : "un")\(verb)", .account(scope)) {
                    try await change(mark, isSet, $0, $1)
                }
            }
        }
        endpoints.post(Paths.statuses + "/:id/reblog", .account(.writeStatuses), use: boost)
        endpoints.post(Paths.statuses + "/:id/unreblog", .account(.writeStatuses), use: unboost)
        endpoints.get(Paths.statuses + "/:id/favourited_by", .optional(.readAccounts)) {
            try await accounts(.favourited, $0, $1)
        }
        endpoints.get(Paths.statuses + "/:id/reblogged_by", .optional(.readAccounts)) {
            try await accounts(.boosted, $0, $1)
        }
    }

    private func change(
        _ mark: StatusMark, _ isSet: Bool, _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        let viewer = try context.require()
        let status = try await statuses.set(mark, isSet, on: try context.id(), by: viewer.account.id)
        return try await response(for: status, request, viewer)
    }

    @Sendable func boost(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let requested = try Visibility(try await request.input(upTo: settings.limits.formBytes, context: context))
        let visibility = requested ?? viewer.account.defaultVisibility
        let status = try await boosts.boost(
            try context.id(), visibility: visibility, by: viewer.account.id)
        return try await response(for: status, request, viewer)
    }

    @Sendable func unboost(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        return try await response(
            for: try await boosts.unboost(try context.id(), by: viewer.account.id), request, viewer)
    }

    private func accounts(
        _ relation: ReactionKind, _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        let viewer = context.viewer
        let page = try Pagination(request.query, limits: settings.limits, standard: 40, maximum: 80)
        let fetched = try await statuses.reactions(
            relation, of: try context.id(), page: page.fetchingOneExtra, for: viewer?.account.id)
        guard let fetched else { throw FeedError.notFound }
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.pageID) {
            json, reaction, entities in
            json.account(reaction.account, entities)
        }
    }

    private func response(for status: Status, _ request: Request, _ viewer: Viewer) async throws -> Response {
        let entities = try await contexts.make(for: request, filtering: nil, for: viewer)
        var json = JSONWriter(capacity: 4096)
        json.status(status, entities, viewer: viewer)
        return Response(json: json)
    }
}
