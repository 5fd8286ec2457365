import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The page with the notifications of a member: `/notifications`.
struct NotificationPageController: Sendable {
    let notifications: NotificationStore
    let reader: WebReader
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let errors: ErrorPages
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/notifications", .member(.readNotifications)) { request, context in
            try await errors.form { try await show(request, context) }
        }
    }

    private func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try context.require().account
        let page = try Pagination.list(request.query, limits: settings.limits)
        let found = try await notifications.notifications(of: account.id, page: page, NotificationFilter())
        var shown = try reader.page(
            for: request, context, base: try baseURL.text(for: request), emoji: emoji.current)
        shown.setTitle("Notifications – \(shown.site.title)", heading: "Notifications")
        shown.show(found.entries)
        if let oldest = found.oldest, found.hasOlder { shown.set(.older, "/notifications?max_id=\(oldest)") }
        if page.maxID != nil || page.minID != nil { shown.set(.newer, "/notifications") }
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: PageController.policy],
            body: .init(byteBuffer: .init(bytes: shown.html())))
    }
}

extension PageContext {
    fileprivate mutating func show(_ notifications: [FeedCore.Notification]) {
        set(.notifications, .list(notifications.map { TemplateValues($0, emoji) }))
        set(.empty, notifications.isEmpty)
    }
}

extension TemplateValues {
    /// The number of Unicode scalars of a post that a notification shows.
    private static let excerptLength = 280

    fileprivate init(_ notification: FeedCore.Notification, _ emoji: EmojiSet) {
        self.init()
        let address = "/@" + notification.from.username
        self[.name] = emoji.value(notification.from.displayNameOrUsername)
        set(.handle, "@" + notification.from.username)
        set(.accountURL, address)
        set(.avatar, notification.from.avatarPath)
        set(.action, notification.kind.action)
        set(.url, notification.status.map { "/@\($0.account.username)/\($0.id)" } ?? address)
        set(.datetime, ISO8601.text(milliseconds: notification.createdAt))
        set(.dateText, PageDate.full(notification.createdAt))
        self[.excerpt] = notification.status.flatMap(Self.excerpt).map(emoji.value)
    }

    /// The beginning of a post, or its content warning.
    private static func excerpt(_ status: Status) -> String? {
        let text = (status.spoilerText.nonEmpty ?? status.text).unicodeScalars
        let start = String(String.UnicodeScalarView(text.prefix(excerptLength)))
        return (text.count > excerptLength ? start + "…" : start).nonEmpty
    }
}

extension FeedCore.Notification.Kind {
    /// Completes a sentence that begins with the name of an account.
    fileprivate var action: String {
        switch self {
        case .mention: "mentioned you"
        case .follow: "follows you"
        case .followRequest: "asks to follow you"
        case .favourite: "favourited your post"
        case .reblog: "boosted your post"
        case .update: "edited a post"
        case .status: "posted"
        case .poll: "ran a poll that has ended"
        case .adminSignUp: "signed up"
        case .adminReport: "sent a report"
        }
    }
}
