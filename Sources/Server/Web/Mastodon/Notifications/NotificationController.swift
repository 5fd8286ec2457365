import FeedAPI
import FeedCore
import FeedStore

/// The viewer's notifications.
struct NotificationController: Sendable {
    let notifications: NotificationStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.notifications, .account(.readNotifications), use: list)
        endpoints.get("/api/v1/notifications/unread_count", .account(.readNotifications), use: unread)
        endpoints.get(Paths.notifications + "/:id", .account(.readNotifications), use: show)
        for version in ["v1", "v2"] {
            endpoints.post("/api/\(version)/notifications/clear", .account(.writeNotifications), use: clear)
        }
        endpoints.post("/api/v1/notifications/dismiss", .account(.writeNotifications), use: dismissNamed)
        endpoints.post(Paths.notifications + "/:id/dismiss", .account(.writeNotifications), use: dismiss)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try await contexts.make(for: request, filtering: .notifications, for: viewer)
        let page = try await notifications.notifications(
            of: viewer.account.id, page: try Pagination.list(request.query, limits: settings.limits),
            try NotificationFilter(request.query))
        var json = JSONWriter(capacity: 2048 * (1 + page.entries.count))
        json.array { for entry in page.entries { $0.notification(entry, entities, viewer: viewer) } }
        return Response(
            json: json,
            links: PaginationLinks(base: entities.base, request: request)
                .header(page))
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let id = try context.id()
        guard let notification = try await notifications.notification(id: id, of: viewer.account.id) else {
            throw FeedError.notFound
        }
        let entities = try await contexts.make(for: request, filtering: .notifications, for: viewer)
        var json = JSONWriter(capacity: 2048)
        json.notification(notification, entities, viewer: viewer)
        return Response(json: json)
    }

    @Sendable func unread(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let count = try await notifications.unread(
            of: viewer.account.id, limit: try request.query.unreadLimit, try NotificationFilter(request.query))
        return Response(unread: count)
    }

    @Sendable func clear(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await notifications.clear(of: viewer.account.id)
        return .emptyObject
    }

    @Sendable func dismiss(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        return try await dismiss(try context.id(), viewer)
    }

    /// The deprecated form, with the id in the body.
    @Sendable func dismissNamed(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        return try await dismiss(try input.id(.id) ?? 0, viewer)
    }

    private func dismiss(_ id: Int64, _ viewer: Viewer) async throws -> Response {
        guard try await notifications.dismiss(id: id, of: viewer.account.id) else {
            throw FeedError.notFound
        }
        return .emptyObject
    }
}

extension NotificationFilter {
    /// Reads `types[]`, `exclude_types[]`, `account_id` and `grouped_types[]`; unknown types match nothing.
    /// `include_filtered` has no effect, because no notification is held back as filtered.
    /// - Throws: ``FeedError`` `.malformed` for an id that is not a number.
    init(_ input: RequestParameters) throws(FeedError) {
        let (included, excluded) = (Set(input.all("types")), Set(input.all("exclude_types")))
        let kinds = Notification.Kind.allCases.filter {
            (included.isEmpty || included.contains($0.rawValue)) && !excluded.contains($0.rawValue)
        }
        self.init(kinds: Set(kinds), from: try input.id(.accountID))
        let grouped = input.all("grouped_types")
        if !grouped.isEmpty { groupedKinds = Set(grouped.compactMap(Notification.Kind.init)) }
    }
}

extension RequestParameters {
    /// The number up to which unread notifications are counted.
    var unreadLimit: Int { count(.limit, standard: 100, maximum: 1000) }
}
