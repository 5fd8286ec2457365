import FeedAPI
import FeedCore
import FeedStore

/// The viewer's conversations: threads of direct statuses.
struct ConversationController: Sendable {
    let conversations: ConversationStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/conversations", .account(.readStatuses), use: list)
        endpoints.post("/api/v1/conversations/:id/read", .account(.writeConversations), use: markRead)
        endpoints.delete("/api/v1/conversations/:id", .account(.writeConversations), use: hide)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try await conversations.conversations(
            of: viewer.account.id, page: try Pagination(request.query, limits: settings.limits))
        let entities = try await contexts.make(for: request, filtering: .thread, for: viewer)
        var json = JSONWriter(capacity: 4096 * (1 + page.entries.count))
        json.array { for entry in page.entries { $0.conversation(entry, entities, viewer: viewer) } }
        return Response(json: json, links: PaginationLinks(base: entities.base, request: request).header(page))
    }

    @Sendable func markRead(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let read = try await conversations.markRead(try context.id(), of: viewer.account.id)
        let entities = try await contexts.make(for: request, filtering: .thread, for: viewer)
        var json = JSONWriter(capacity: 4096)
        json.conversation(read, entities, viewer: viewer)
        return Response(json: json)
    }

    @Sendable func hide(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await conversations.hide(try context.id(), of: viewer.account.id)
        return .emptyObject
    }
}

extension JSONWriter {
    /// Writes a Conversation entity.
    mutating func conversation(_ conversation: Conversation, _ entities: EntityContext, viewer: Viewer) {
        object {
            $0.field("id", id: conversation.id)
            $0.field("unread", conversation.isUnread)
            $0.array("accounts") { for account in conversation.accounts { $0.account(account, entities) } }
            $0.key("last_status")
            guard let status = conversation.lastStatus else { return $0.null() }
            $0.status(status, entities, viewer: viewer)
        }
    }
}
