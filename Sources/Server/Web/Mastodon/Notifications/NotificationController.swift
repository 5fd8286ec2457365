import FeedAPI
import FeedCore

/// The viewer's notifications.
struct NotificationController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/notifications", .account(.readNotifications), use: list)
        endpoints.get("/api/v1/notifications/unread_count", .account(.readNotifications), use: unread)
        endpoints.get("/api/v1/notifications/:id", .account(.readNotifications), use: show)
        for version in ["v1", "v2"] {
            endpoints.post("/api/\(version)/notifications/clear", .account(.writeNotifications), use: clear)
        }
        endpoints.post("/api/v1/notifications/dismiss", .account(.writeNotifications), use: dismissNamed)
        endpoints.post("/api/v1/notifications/:id/dismiss", .account(.writeNotifications), use: dismiss)
    }

    @Sendable func list(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try await services.entities(for: request, filtering: .notifications, for: viewer)
        let page = try await services.stores.notifications.notifications(
            of: viewer.account.id, page: try Pagination.list(request.query, limits: services.limits),
            try NotificationFilter(request.query))
        var json = JSONWriter(capacity: 2048 * (1 + page.entries.count))
        json.array { for entry in page.entries { $0.notification(entry, entities, viewer: viewer) } }
        return Response(
            json: json,
            links: PageLinks(base: entities.base, request: request)
                .header(page))
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let id = try context.id()
        guard let found = try await services.stores.notifications.notification(id: id, of: viewer.account.id) else {
            throw FeedError.notFound
        }
        let entities = try await services.entities(for: request, filtering: .notifications, for: viewer)
        var json = JSONWriter(capacity: 2048)
        json.notification(found, entities, viewer: viewer)
        return Response(json: json)
    }

    @Sendable func unread(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let count = try await services.stores.notifications.unread(
            of: viewer.account.id, limit: try request.query.unreadLimit, try NotificationFilter(request.query))
        return Response(unread: count)
    }

    @Sendable func clear(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        try await services.stores.notifications.clear(of: viewer.account.id)
        return .emptyObject
    }

    @Sendable func dismiss(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        return try await dismiss(try context.id(), viewer)
    }

    /// The deprecated form, with the id in the body.
    @Sendable func dismissNamed(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: services.limits.formBytes, context: context)
        return try await dismiss(try input.id(.id) ?? 0, viewer)
    }

    private func dismiss(_ id: Int64, _ viewer: Viewer) async throws -> Response {
        guard try await services.stores.notifications.dismiss(id: id, of: viewer.account.id) else {
            throw FeedError.notFound
        }
        return .emptyObject
    }
}
