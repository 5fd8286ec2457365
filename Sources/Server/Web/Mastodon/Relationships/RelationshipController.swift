import FeedAPI
import FeedCore
import FeedStore

/// The viewer's relationships to other accounts.
struct RelationshipController: Sendable {
    let relationships: RelationshipStore
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.accounts + "/relationships", .account(.readFollows), use: list)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let ids = try request.query.ids(upTo: settings.limits.idsMaximum)
        let relationships = try await relationships.relationships(of: viewer.account.id, to: ids)
        var json = JSONWriter()
        json.array { for relationship in relationships { $0.relationship(relationship) } }
        return Response(json: json)
    }
}

/// Changes and shows the viewer's relationships to single accounts.
struct Relationships: Sendable {
    let accounts: AccountStore
    let relationships: RelationshipStore

    /// Changes the viewer's relationship to the account in the path, and responds with the new relationship.
    /// - Parameter change: Takes the viewer's id and the account's.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for the viewer's own account.
    func change(
        _ context: RequestContext, _ change: (Int64, Int64) async throws -> Void
    ) async throws -> Response {
        let viewer = try context.require()
        guard let target = try await accounts.accounts(ids: [context.id()]).first else {
            throw FeedError.notFound
        }
        guard target.id != viewer.account.id else { throw FeedError.ownAccount }
        try await change(viewer.account.id, target.id)
        return try await response(of: viewer, to: target.id)
    }

    /// Responds with the viewer's relationship to an account.
    func response(of viewer: Viewer, to id: Int64) async throws -> Response {
        let all = try await relationships.relationships(of: viewer.account.id, to: [id])
        guard let relationship = all.first else { throw FeedError.notFound }
        var json = JSONWriter()
        json.relationship(relationship)
        return Response(json: json)
    }
}

extension RequestParameters {
    /// The values of the parameter `id`.
    /// - Throws: ``FeedError`` `.invalid` for more than `limit`.
    func ids(upTo limit: Int) throws(FeedError) -> [Int64] {
        guard all(IntegerParameter.id.rawValue).count <= limit else {
            throw .invalid("At most \(limit) ids are allowed per request")
        }
        return ids(.id, limit: limit)
    }
}

extension JSONWriter {
    /// Writes a Relationship entity.
    mutating func relationship(_ relationship: Relationship) {
        let options = relationship.following ?? relationship.requested
        object {
            $0.field("id", id: relationship.id)
            $0.field("following", relationship.following != nil)
            $0.field("showing_reblogs", options?.showsReblogs ?? false)
            $0.field("notifying", options?.notifies ?? false)
            if let languages = options?.languages, !languages.isEmpty {
                $0.list("languages", languages)
            } else {
                $0.field("languages", nil)
            }
            $0.field("followed_by", relationship.isFollowed)
            $0.field("blocking", relationship.isBlocking)
            $0.field("blocked_by", relationship.isBlocked)
            $0.field("muting", relationship.mute != nil)
            $0.field("muting_notifications", relationship.mute?.hidesNotifications ?? false)
            $0.field("muting_expires_at", time: relationship.mute?.expiresAt)
            $0.field("requested", relationship.following == nil && relationship.requested != nil)
            $0.field("requested_by", relationship.isRequested)
            $0.field("domain_blocking", false)
            $0.field("endorsed", relationship.isEndorsed)
            $0.field("note", relationship.note)
        }
    }
}

/// The viewer's private notes about accounts.
struct AccountNoteController: Sendable {
    let notes: AccountNoteStore
    let relationships: Relationships
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post(Paths.accounts + "/:id/note", .account(.writeAccounts), use: note)
    }

    @Sendable func note(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.longFormBytes, context: context)
        let comment = try input.one("comment") ?? ""
        return try await relationships.change(context) { viewer, target in
            try await notes.note(comment, about: target, by: viewer)
        }
    }
}
