package import FeedCore

/// Stores notifications in the database.
package struct NotificationStore: Sendable {
    /// The number of rows deleted per transaction when all notifications are cleared.
    private static let batch = 2000

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// A page of an account's notifications, newest first. Notifications from silenced accounts that the account does
    /// not follow are withheld.
    package func notifications(
        of account: Int64, page: Pagination, _ filter: NotificationFilter
    ) async throws -> Page<Notification> {
        let now = database.clock.now()
        return try await database.read { db in
            try NotificationReader(account: account, now: now).page(page, filter, in: db)
        }
    }

    /// - Returns: The notification, or `nil` if it does not belong to `account` or may no longer be shown.
    package func notification(id: Int64, of account: Int64) async throws -> Notification? {
        let now = database.clock.now()
        return try await database.read { db in
            try NotificationReader(account: account, now: now).readable([id], in: db).first
        }
    }

    /// The number of notifications after the `notifications` marker, at most `limit`.
    package func unread(
        of account: Int64, limit: Int, _ filter: NotificationFilter = NotificationFilter()
    ) async throws -> Int {
        let now = database.clock.now()
        return try await database.read { db in
            let page = try Self.unreadPage(of: account, limit: limit, in: db)
            return try NotificationReader(account: account, now: now).count(page, filter, in: db)
        }
    }

    /// Deletes a notification.
    /// - Returns: Whether the notification existed.
    package func dismiss(id: Int64, of account: Int64) async throws -> Bool {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let count = try db.deleteNotifications(where: "id = \(id) AND account_id = \(account)", limit: 1)
            guard count > 0 else { return false }
            try db.log(.notificationsDismissed, subject: id, account: account, at: now)
            return true
        }
    }

    /// Deletes all notifications of an account.
    package func clear(of account: Int64) async throws {
        let newest = try await database.read { db in
            try db.fetchOne("SELECT max(id) FROM notification WHERE account_id = \(account)", as: Int64.self)
        }
        guard let newest else { return }
        _ = try await remove("account_id = \(account) AND id <= \(newest)", of: account)
    }

    private static func unreadPage(of account: Int64, limit: Int, in db: Database) throws -> Pagination {
        let read = try MarkerStore.markers(of: account, in: db).first { $0.timeline == .notifications }
        return Pagination(limit: limit, minID: read?.lastReadID ?? 0)
    }

    /// Deletes notifications in short transactions.
    /// - Returns: Whether there were any.
    private func remove(_ condition: SQL, of account: Int64) async throws -> Bool {
        var hasRemoved = false
        while true {
            let now = database.clock.now()
            let count = try await database.commits.write(freesSpace: true) { db in
                let count = try db.deleteNotifications(where: condition, limit: Self.batch)
                if count > 0 { try db.log(.notificationsDismissed, account: account, at: now) }
                return count
            }
            hasRemoved = hasRemoved || count > 0
            guard count == Self.batch else { return hasRemoved }
        }
    }
}

extension NotificationStore {
    /// A page of an account's groups of notifications, by their newest notification, newest first. Its bounds are ids of
    /// notifications; a group is part of one page only.
    package func groups(
        of account: Int64, page: Pagination, _ filter: NotificationFilter
    ) async throws -> Page<NotificationGroup> {
        let now = database.clock.now()
        return try await database.read { db in
            try NotificationGroupStore(account: account, now: now).page(page, filter, in: db)
        }
    }

    /// - Returns: The group, or `nil` if the account has none with this key or it may no longer be shown.
    package func group(_ key: NotificationGroupKey, of account: Int64) async throws -> NotificationGroup? {
        let now = database.clock.now()
        return try await database.read { try NotificationGroupStore(account: account, now: now).group(key, in: $0) }
    }

    /// A page of the accounts that caused the notifications of a group, by notification, newest first.
    /// - Returns: `nil` if the account has no such group.
    package func accounts(
        in key: NotificationGroupKey, of account: Int64, page: Pagination
    ) async throws -> Page<Account>? {
        let now = database.clock.now()
        return try await database.read { db in
            switch key {
            case .group(let text):
                guard let group = try db.notificationGroup(text, of: account) else { return nil }
                return try NotificationGroupStore(account: account, now: now).accounts(in: group, page, in: db)
            case .single(let id):
                let notifications = try NotificationReader(account: account, now: now).readable([id], in: db)
                guard !notifications.isEmpty else { return nil }
                let shown = notifications.filter { $0.id < page.maxID ?? .max && $0.id > page.floor ?? -1 }
                return Page(entries: shown.map(\.from), newest: shown.first?.id, oldest: nil, hasOlder: false)
            }
        }
    }

    /// The number of groups with notifications after the `notifications` marker, at most `limit`.
    package func unreadGroups(of account: Int64, limit: Int, _ filter: NotificationFilter) async throws -> Int {
        let now = database.clock.now()
        return try await database.read { db in
            let page = try Self.unreadPage(of: account, limit: limit, in: db)
            return try NotificationGroupStore(account: account, now: now).count(page, filter, in: db)
        }
    }

    /// Deletes the notifications of a group.
    /// - Returns: Whether there were any.
    package func dismiss(_ key: NotificationGroupKey, of account: Int64) async throws -> Bool {
        switch key {
        case .single(let id): return try await dismiss(id: id, of: account)
        case .group(let text):
            let group = try await database.read { try $0.notificationGroup(text, of: account) }
            guard let group else { return false }
            return try await remove("account_id = \(account) AND group_id = \(group)", of: account)
        }
    }
}

extension Database {
    /// Notifies `recipient` of an action of `sender` if ``NotificationRule`` allows it. Must be called in the
    /// transaction of the action.
    func notify(
        _ recipient: Int64, of kind: Notification.Kind, by sender: Int64, status: Int64? = nil, report: Int64? = nil,
        at now: Int64
    ) throws {
        // Avoids queries for the frequent actions of users on their own statuses.
        guard recipient != sender || NotificationRule.mayNotifySender(of: kind) else { return }
        let relation = try kind.isForModerators ? .init() : relation(of: recipient, to: sender, status: status)
        guard NotificationRule.isNotified(recipient, of: kind, by: sender, relation, now: now) else { return }
        let id = try nextID(now: now)
        let key = NotificationGroupKey.stored(for: kind, status: status, id: id)
        let group = try key.map { try notificationGroup($0, of: recipient) ?? id }
        try execute(
            """
            INSERT INTO notification (id, account_id, kind, from_id, status_id, report_id, group_id)
            VALUES (\(id), \(recipient), \(kind.rawValue), \(sender), \(status), \(report), \(group))
            ON CONFLICT (account_id, from_id, kind, coalesce(status_id, report_id, 0))
            DO \(sql: kind.isRepeated ? "UPDATE SET id = excluded.id" : "NOTHING")
            """)
        guard try changesCount > 0 else { return }
        if let key, let group { try addMember(id, to: group, key, of: recipient, kind, status: status) }
        try log(.notified, subject: id, account: recipient, at: now)
    }

    /// Notifies the administrators.
    func notifyModerators(
        of kind: Notification.Kind, by sender: Int64, report: Int64? = nil, at now: Int64
    ) throws {
        let query: SQL = """
            SELECT id FROM account WHERE role = 'admin' AND suspended_at IS NULL
            ORDER BY id LIMIT \(NotificationRule.maximumRecipients)
            """
        for moderator in try self.fetchAll(query, as: Int64.self) {
            try notify(moderator, of: kind, by: sender, report: report, at: now)
        }
    }

    /// Deletes the notification of an action that was undone.
    func retract(_ kind: Notification.Kind, by sender: Int64, status: Int64? = nil, from recipient: Int64) throws {
        let condition: SQL = """
            account_id = \(recipient) AND from_id = \(sender) AND kind = \(kind.rawValue)
            AND coalesce(status_id, report_id, 0) = \(status ?? 0)
            """
        try deleteNotifications(where: condition, limit: 1)
    }

    private func relation(of recipient: Int64, to sender: Int64, status: Int64?) throws -> NotificationRule.Relation {
        let query: SQL = """
            SELECT hides_notifications, expires_at FROM mute WHERE account_id = \(recipient)
            AND target_id = \(sender)
            """
        let mute = try fetchOne(query).map {
            try Mute(hidesNotifications: $0[0], expiresAt: $0[1])
        }
        return NotificationRule.Relation(
            isBlocked: try isBlocked(recipient, sender), mute: mute,
            mutesConversation: try status.map { try mutesConversation(recipient, of: $0) } ?? false)
    }
}

extension Notification.Kind {
    /// Whether the same event can happen again to the same status, which moves the notification to the top.
    fileprivate var isRepeated: Bool { self == .update || self == .poll }
}
