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
            try NotificationGroupReader(account: account, now: now).page(page, filter, in: db)
        }
    }

    /// - Returns: The group, or `nil` if the account has none with this key or it may no longer be shown.
    package func group(_ key: NotificationGroupKey, of account: Int64) async throws -> NotificationGroup? {
        let now = database.clock.now()
        return try await database.read { try NotificationGroupReader(account: account, now: now).group(key, in: $0) }
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
                return try NotificationGroupReader(account: account, now: now).accounts(in: group, page, in: db)
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
            return try NotificationGroupReader(account: account, now: now).count(page, filter, in: db)
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
