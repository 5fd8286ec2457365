import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The page with the notifications of a member: `/notifications`. Whoever sees the newest ones has read all of them.
struct NotificationPageController: Sendable {
    let notifications: NotificationStore
    let markers: MarkerStore
    let filters: FilterSets
    let pages: MemberPages

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/notifications", .member(.readNotifications)) { request, context in
            try await pages.errors.form { try await show(request, context) }
        }
    }

    private func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let found = try await notifications.groups(of: viewer.account.id, page: page, NotificationFilter())
        let read = try await markers.markers(of: viewer.account.id, [.notifications]).first?.lastReadID ?? 0
        var shown = try pages.page("Notifications", for: request, context)
        shown.filters = try await filters.of(viewer, in: .notifications)
        shown.show(found.entries, readUpTo: read)
        if let oldest = found.oldest, found.hasOlder { shown.set(.older, "/notifications?max_id=\(oldest)") }
        let isNewest = page.maxID == nil && page.floor == nil
        if !isNewest { shown.set(.newer, "/notifications") }
        if isNewest, viewer.scopes.allows(.writeStatuses) { try await move(from: read, to: found.entries, viewer) }
        return pages.response(with: shown, context)
    }

    private func move(from read: Int64, to groups: [NotificationGroup], _ viewer: Viewer) async throws {
        guard let newest = groups.map(\.newestID).max(), newest > read else { return }
        _ = try await markers.move([.notifications: newest], of: viewer.account.id)
    }
}

extension PageContext {
    fileprivate mutating func show(_ groups: [NotificationGroup], readUpTo read: Int64) {
        let shown = groups.compactMap { values(of: $0, isUnread: $0.newestID > read) }
        set(.notifications, .list(shown))
        set(.empty, shown.isEmpty)
    }

    /// - Returns: `nil` for a notification about a status that a filter leaves out.
    private func values(of group: NotificationGroup, isUnread: Bool) -> TemplateValues? {
        var values = TemplateValues(group, emoji, isUnread: isUnread, in: zone)
        switch group.status.map(filters.treatment) ?? .show {
        case .show: break
        case .fold(let title): values.set(.excerpt, "Filtered: \(title)")
        case .leaveOut: return nil
        }
        return values
    }
}

extension TemplateValues {
    fileprivate init(_ group: NotificationGroup, _ emoji: EmojiSet, isUnread: Bool, in zone: PageTimeZone) {
        self.init()
        guard let from = group.accounts.first else { return }
        let address = "/@" + from.username
        self[.name] = emoji.value(from.displayNameOrUsername)
        set(.handle, "@" + from.username)
        set(.accountURL, address)
        set(.avatar, from.avatarPath)
        set(.action, (group.count > 1 ? Self.others(group.count - 1) + " " : "") + group.kind.action(group.count))
        set(.url, group.status.map { "/@\($0.account.username)/\($0.id)" } ?? address)
        set(.datetime, ISO8601.text(milliseconds: group.newestAt))
        set(.dateText, PageDate.full(group.newestAt, in: zone))
        set(.unread, isUnread)
        self[.excerpt] = group.status.flatMap(PageExcerpt.text).map(emoji.value)
        setOthers(group, emoji)
        let answers = group.kind == .followRequest ? PageButton.answers(to: from, next: "/notifications") : []
        set(.hasButtons, !answers.isEmpty)
        self[.buttons] = .list(answers.map { TemplateValues($0) })
    }

    private static func others(_ count: Int) -> String { count == 1 ? "and 1 other" : "and \(count) others" }

    /// The other accounts of a group, as far as they are known.
    private mutating func setOthers(_ group: NotificationGroup, _ emoji: EmojiSet) {
        let others = group.accounts.dropFirst()
        guard !others.isEmpty else { return }
        let rest = group.count - group.accounts.count
        set(.others, true)
        self[.otherAccounts] = .list(others.map { TemplateValues($0, emoji) })
        set(.othersText, rest > 0 ? "and \(rest) more" : "")
    }
}

extension FeedCore.Notification.Kind {
    /// Completes a sentence that begins with the names of accounts.
    fileprivate func action(_ count: Int) -> String {
        switch self {
        case .mention: "mentioned you"
        case .follow: count == 1 ? "follows you" : "follow you"
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
