extension Entity {
    /// A notification. Servers have different types of them.
    public struct Notification: Codable, Sendable, Equatable {
        public var id: String
        public var type: String
        public var created_at: String
        public var group_key: String?
        /// The account that caused the notification.
        public var account: Account?
        public var status: Status?
        public var report: Report?
    }

    /// A report, as administrators are told of it.
    public struct Report: Codable, Sendable, Equatable {
        public var id: String
        public var comment: String?
        public var category: String?
        public var target_account: Account?
    }

    /// Several notifications of one type, shown as one.
    public struct NotificationGroup: Codable, Sendable, Equatable {
        public var group_key: String
        public var notifications_count: Int
        public var type: String
        public var most_recent_notification_id: String
        public var page_min_id: String?
        /// The time of the newest notification on the page.
        public var latest_page_notification_at: String?
        /// The newest accounts; the entities are in ``GroupedNotifications/accounts``.
        public var sample_account_ids: [String]
        public var status_id: String?
        public var report: Report?
    }

    /// A page of groups of notifications.
    public struct GroupedNotifications: Codable, Sendable, Equatable {
        public var accounts: [Account]
        public var statuses: [Status]
        public var notification_groups: [NotificationGroup]
    }
}

extension Entity.Notification {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        type = try fields.decode(String.self, forKey: .type)
        created_at = try fields.value(.created_at, or: "")
        group_key = try fields.decodeIfPresent(String.self, forKey: .group_key)
        account = try fields.decodeIfPresent(Entity.Account.self, forKey: .account)
        status = try fields.decodeIfPresent(Entity.Status.self, forKey: .status)
        report = try fields.decodeIfPresent(Entity.Report.self, forKey: .report)
    }
}

extension Entity.Report {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        comment = try fields.decodeIfPresent(String.self, forKey: .comment)
        category = try fields.decodeIfPresent(String.self, forKey: .category)
        target_account = try fields.decodeIfPresent(Entity.Account.self, forKey: .target_account)
    }
}

extension Entity.NotificationGroup {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        group_key = try fields.decode(String.self, forKey: .group_key)
        notifications_count = try fields.value(.notifications_count, or: 1)
        type = try fields.decode(String.self, forKey: .type)
        // A number in Mastodon.
        most_recent_notification_id = try fields.id(.most_recent_notification_id)
        page_min_id = try fields.idIfPresent(.page_min_id)
        latest_page_notification_at = try fields.decodeIfPresent(String.self, forKey: .latest_page_notification_at)
        sample_account_ids = try fields.value(.sample_account_ids, or: [])
        status_id = try fields.idIfPresent(.status_id)
        report = try fields.decodeIfPresent(Entity.Report.self, forKey: .report)
    }
}

extension Entity.GroupedNotifications {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        accounts = try fields.list(.accounts) ?? []
        statuses = try fields.list(.statuses) ?? []
        notification_groups = try fields.decode([Tolerant<Entity.NotificationGroup>].self, forKey: .notification_groups)
            .compactMap(\.value)
    }
}
