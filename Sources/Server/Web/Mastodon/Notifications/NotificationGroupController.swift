import FeedAPI
import FeedCore
import FeedStore

/// The viewer's notifications in groups, as of Mastodon 4.3.
struct NotificationGroupController: Sendable {
    /// The extent to which the response contains accounts in full.
    private enum Expansion: String {
        case full
        case partial = "partial_avatars"
    }

    private static let path = Paths.notificationGroups

    let notifications: NotificationStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        let (reading, writing) = (AccessRule.account(.readNotifications), AccessRule.account(.writeNotifications))
        endpoints.get(Self.path, reading, use: list)
        endpoints.get(Self.path + "/unread_count", reading, use: unread)
        endpoints.get(Self.path + "/:key", reading, use: show)
        endpoints.get(Self.path + "/:key/accounts", reading, use: accounts)
        endpoints.post(Self.path + "/:key/dismiss", writing, use: dismiss)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let expansion = try Self.expansion(request.query)
        let page = try await notifications.groups(
            of: viewer.account.id, page: try Pagination.list(request.query, limits: settings.limits),
            try NotificationFilter(request.query))
        let entities = try await contexts.make(for: request, filtering: .notifications, for: viewer)
        var json = JSONWriter(capacity: 4096 * (1 + page.entries.count))
        json.groups(page.entries, hasPartialAccounts: expansion == .partial, entities, viewer: viewer)
        return Response(json: json, links: PaginationLinks(base: entities.base, request: request).header(page))
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let group = try await notifications.group(try Self.key(context), of: viewer.account.id)
        guard let group else { throw FeedError.notFound }
        let entities = try await contexts.make(for: request, filtering: .notifications, for: viewer)
        var json = JSONWriter(capacity: 8192)
        json.groups([group], hasPartialAccounts: false, entities, viewer: viewer)
        return Response(json: json)
    }

    @Sendable func accounts(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try contexts.make(for: request)
        let page = try await notifications.accounts(
            in: try Self.key(context), of: viewer.account.id,
            page: try Pagination.list(request.query, limits: settings.limits))
        guard let page else { throw FeedError.notFound }
        var json = JSONWriter(capacity: 1024 * (1 + page.entries.count))
        json.array { for account in page.entries { $0.account(account, entities) } }
        return Response(json: json, links: PaginationLinks(base: entities.base, request: request).header(page))
    }

    @Sendable func unread(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let count = try await notifications.unreadGroups(
            of: viewer.account.id, limit: try request.query.unreadLimit, try NotificationFilter(request.query))
        return Response(unread: count)
    }

    @Sendable func dismiss(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        guard try await notifications.dismiss(try Self.key(context), of: viewer.account.id) else {
            throw FeedError.notFound
        }
        return .emptyObject
    }

    private static func key(_ context: RequestContext) throws -> NotificationGroupKey {
        NotificationGroupKey(try context.segment("key"))
    }

    /// - Throws: ``FeedError`` `.malformed` for an unknown value.
    private static func expansion(_ input: RequestParameters) throws(FeedError) -> Expansion {
        guard let word = input["expand_accounts"], !word.isEmpty else { return .full }
        guard let expansion = Expansion(rawValue: word) else {
            throw .malformed("Invalid value for 'expand_accounts', allowed values are 'full' and 'partial_avatars'")
        }
        return expansion
    }
}
