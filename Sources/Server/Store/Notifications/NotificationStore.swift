package import FeedCore

/// Stores notifications in the database.
package struct NotificationStore: NotificationStoring {
    /// The number of rows deleted per transaction when all notifications are cleared.
    private static let batch = 2000

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func notifications(
        of account: Int64, page: Pagination, _ filter: NotificationFilter
    ) async throws -> Page<Notification> {
        let now = database.clock.now()
        return try await database.read { db in
            try NotificationReader(account: account, now: now).page(page, filter, in: db)
        }
    }

    package func notification(id: Int64, of account: Int64) async throws -> Notification? {
        let now = database.clock.now()
        return try await database.read { db in
            try NotificationReader(account: account, now: now).readable([id], in: db).first
        }
    }

    package func unread(of account: Int64, limit: Int) async throws -> Int {
        let now = database.clock.now()
        return try await database.read { db in
            let read = try MarkerStore.markers(of: account, in: db).first { $0.timeline == .notifications }
            let page = Pagination(limit: limit, minID: read?.lastReadID ?? 0)
            return try NotificationReader(account: account, now: now).count(page, in: db)
        }
    }

    package func dismiss(id: Int64, of account: Int64) async throws -> Bool {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try db.execute(sql: "DELETE FROM notification WHERE id = ? AND account_id = ?", arguments: [id, account])
            guard db.changesCount > 0 else { return false }
            try db.log(.notificationsDismissed, subject: id, account: account, at: now)
            return true
        }
    }

    package func clear(of account: Int64) async throws {
        let newest = try await database.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT max(id) FROM notification WHERE account_id = ?", arguments: [account])
        }
        guard let newest else { return }
        while try await remove(of: account, upTo: newest) == Self.batch {}
    }

    /// - Returns: The number of deleted rows.
    private func remove(of account: Int64, upTo newest: Int64) async throws -> Int {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            try db.execute(
                sql: """
                    DELETE FROM notification WHERE id IN
                    (SELECT id FROM notification WHERE account_id = ? AND id <= ? ORDER BY id LIMIT ?)
                    """, arguments: [account, newest, Self.batch])
            let count = db.changesCount
            if count > 0 { try db.log(.notificationsDismissed, account: account, at: now) }
            return count
        }
    }
}
