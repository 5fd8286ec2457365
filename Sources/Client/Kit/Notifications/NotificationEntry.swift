public import FeedAPI

/// A notification, or several of one type that the server has grouped.
public struct NotificationEntry: Sendable, Equatable {
    /// The id of the newest notification.
    public var id: String
    /// `mention`, `favourite`, `reblog`, `follow`, `poll` and others; servers have types of their own.
    public var type: String
    /// The number of notifications.
    public var count: Int
    /// The accounts that caused the newest ones, newest first; fewer than ``count`` if there are many.
    public var accounts: [Entity.Account]
    public var status: Entity.Status?
    public var report: Entity.Report?
    /// The time of the newest notification in ISO 8601, if the server sent it.
    public var createdAt: String?
    /// The JSON object that the server sent; `nil` for a group, which refers to other objects.
    public var json: [UInt8]?

    public init(
        id: String, type: String, count: Int, accounts: [Entity.Account], status: Entity.Status? = nil,
        report: Entity.Report? = nil, createdAt: String? = nil, json: [UInt8]? = nil
    ) {
        self.id = id
        self.type = type
        self.count = count
        self.accounts = accounts
        self.status = status
        self.report = report
        self.createdAt = createdAt
        self.json = json
    }
}

extension NotificationEntry {
    /// The number of accounts that a group names.
    private static let accountsPerGroup = 8

    /// Notifications in groups, as servers form them: reactions to one status, and followers.
    /// - Parameter entries: The newest first.
    static func grouped(_ entries: [NotificationEntry]) -> [NotificationEntry] {
        var (groups, positions) = ([NotificationEntry](), [String: Int]())
        for entry in entries {
            let isGrouped = ["favourite", "reblog", "follow"].contains(entry.type)
            let key = isGrouped ? "\(entry.type) \(entry.status?.id ?? "")" : entry.id
            guard let position = positions[key] else {
                positions[key] = groups.count
                groups.append(entry)
                continue
            }
            groups[position].count += entry.count
            groups[position].json = nil
            let known = groups[position].accounts
            let others = entry.accounts.filter { account in !known.contains { $0.id == account.id } }
            groups[position].accounts += others.prefix(max(0, accountsPerGroup - known.count))
        }
        return groups
    }

    init(_ notification: Entity.Notification, json: [UInt8]) {
        self.init(
            id: notification.id, type: notification.type, count: 1,
            accounts: notification.account.map { [$0] } ?? [], status: notification.status,
            report: notification.report,
            createdAt: notification.created_at.isEmpty ? nil : notification.created_at, json: json)
    }

    init(_ group: Entity.NotificationGroup, _ page: Entity.GroupedNotifications) {
        self.init(
            id: group.most_recent_notification_id, type: group.type, count: group.notifications_count,
            accounts: group.sample_account_ids.compactMap { id in page.accounts.first { $0.id == id } },
            status: group.status_id.flatMap { id in page.statuses.first { $0.id == id } }, report: group.report,
            createdAt: group.latest_page_notification_at)
    }
}
