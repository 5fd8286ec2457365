import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The page with the notifications of a member: `/notifications`. Whoever sees the newest ones has read all of them.
struct NotificationsPageController: Sendable {
    let notifications: NotificationStore
    let markers: MarkerStore
    let filters: FilterCache
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/notifications", .member(.readNotifications)) { request, context in
            try await pages.errors.form { try await show(request, context) }
        }
    }

    private func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let found = try await notifications.groups(of: viewer.account.id, page: page, NotificationFilter())
        let read = try await markers.markers(of: viewer.account.id, [.notifications]).first?.lastReadID ?? 0
        var shown = try pages.page(\.words.notifications, for: request, context)
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
        var values = TemplateValues(group, emoji, isUnread: isUnread, in: locale)
        switch group.status.map({ PageFilter($0, filters) }) ?? .show {
        case .show: break
        case .fold(let title): values.set(.excerpt, text.filtered(title))
        case .leaveOut: return nil
        }
        return values
    }
}

extension TemplateValues {
    fileprivate init(_ group: NotificationGroup, _ emoji: EmojiSet, isUnread: Bool, in locale: PageLocale) {
        self.init()
        guard let from = group.accounts.first else { return }
        let address = "/@" + from.username
        self[.name] = emoji.value(from.displayNameOrUsername)
        set(.handle, "@" + from.username)
        set(.accountURL, address)
        set(.avatar, from.avatarPath)
        set(.action, locale.text.notification(group.kind, others: group.count - 1))
        set(.url, group.status.map { "/@\($0.account.username)/\($0.id)" } ?? address)
        set(.datetime, ISO8601.text(milliseconds: group.newestAt))
        set(.dateText, locale.date(group.newestAt))
        set(.unread, isUnread)
        self[.excerpt] = group.status.flatMap(PageExcerpt.text).map(emoji.value)
        setOthers(group, emoji, locale.text)
        let answers =
            group.kind == .followRequest
            ? PageButton.answers(to: from, next: "/notifications", locale.text) : []
        set(.hasButtons, !answers.isEmpty)
        self[.buttons] = .list(answers.map { TemplateValues($0) })
    }

    /// The other accounts of a group, as far as they are known.
    private mutating func setOthers(_ group: NotificationGroup, _ emoji: EmojiSet, _ text: any PageText) {
        let others = group.accounts.dropFirst()
        guard !others.isEmpty else { return }
        let rest = group.count - group.accounts.count
        set(.others, true)
        self[.otherAccounts] = .list(others.map { TemplateValues($0, emoji) })
        set(.othersText, rest > 0 ? text.andMore(rest) : "")
    }
}
