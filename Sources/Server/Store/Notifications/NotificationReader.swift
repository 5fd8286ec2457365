import FeedCore

/// Reads the notifications of an account that may still be shown. It omits notifications from accounts that are
/// suspended, muted (if the mute hides notifications), blocked or blocking, or silenced and not followed, and
/// notifications about a status that is no longer visible.
struct NotificationReader {
    /// The maximum number of rows read per requested entry, which bounds the cost of hidden notifications.
    private static let scanFactor = 5

    let account: Int64
    let now: Int64

    func page(_ page: Pagination, _ filter: NotificationFilter, in db: Database) throws -> Page<Notification> {
        let maximumRows = page.limit * Self.scanFactor
        let scanned = try scan(page, filter, limit: maximumRows, in: db)
        var rest = scanned[...]
        var entries: [Notification] = []
        while entries.count < page.limit, !rest.isEmpty {
            let chunk = rest.prefix(page.limit - entries.count)
            rest = rest.dropFirst(chunk.count)
            let found = try readable(Array(chunk), in: db)
            entries += page.readsUpwards ? found.reversed() : found
        }
        let looked = scanned.dropLast(rest.count)
        if page.readsUpwards {
            return Page(
                entries: entries.reversed(), newest: looked.last, oldest: looked.first, hasOlder: !looked.isEmpty)
        }
        return Page(
            entries: entries, newest: looked.first, oldest: looked.last,
            hasOlder: !rest.isEmpty || scanned.count == maximumRows)
    }

    /// The notifications among `ids` that may be shown, newest first.
    func readable(_ ids: [Int64], in db: Database) throws -> [Notification] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), n.id, n.kind, n.status_id
            FROM notification n CROSS JOIN account a ON a.id = n.from_id
            WHERE n.id IN \(list: ids) AND n.account_id = \(account) AND \(wanted) ORDER BY n.id DESC
            """
        let rows = try db.fetchAll(query)
        let statuses = try StatusStore.find(
            db, ids: rows.compactMap { $0[AccountRow.count + 2] }, for: account)
        return rows.compactMap { Self.decode($0, statuses) }
    }

    /// The number of notifications within a page's bounds that may be shown.
    func count(_ page: Pagination, in db: Database) throws -> Int {
        let ids = try scan(page, NotificationFilter(), limit: page.limit, in: db)
        let query: SQL = """
            SELECT count(*) FROM notification n CROSS JOIN account a ON a.id = n.from_id
            WHERE n.id IN \(list: ids) AND \(wanted) AND (n.status_id IS NULL OR EXISTS (
                SELECT 1 FROM status e CROSS JOIN account ea ON ea.id = e.account_id
                WHERE e.id = n.status_id AND \(StatusVisibility.entry(viewer: account))))
            """
        return try Int.fetchOne(db, query) ?? 0
    }
}

extension NotificationReader {
    private var wanted: SQL {
        """
        \(sql: AccountRow.visible) AND \(StatusVisibility.isListed("a", viewer: account))
        AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(account) AND b.target_id = a.id)
        AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = a.id AND b.target_id = \(account))
        AND NOT EXISTS (SELECT 1 FROM mute m WHERE m.account_id = \(account) AND m.target_id = a.id
            AND m.hides_notifications = 1 AND (m.expires_at IS NULL OR m.expires_at > \(now)))
        """
    }

    /// Ids within the page's bounds, in reading order. Each kind is read from its own index range, so that rare kinds
    /// are found without scanning all others.
    private func scan(_ page: Pagination, _ filter: NotificationFilter, limit: Int, in db: Database) throws -> [Int64] {
        guard !filter.kinds.isEmpty else { return [] }
        var rows: SQL = "account_id = \(account) AND \(page.bounds(on: "id"))"
        if let from = filter.from { rows += " AND from_id = \(from)" }
        let parts: [SQL]
        if filter.kinds.count == Notification.Kind.allCases.count || filter.from != nil {
            parts = ["SELECT id FROM notification WHERE \(rows) AND kind IN \(list: filter.kinds.map(\.rawValue))"]
        } else {
            parts = filter.kinds.map { kind in
                """
                SELECT * FROM (SELECT id FROM notification WHERE \(rows) AND kind = \(kind.rawValue)
                    ORDER BY id \(page.order) LIMIT \(limit)) kind
                """
            }
        }
        let query: SQL = "\(parts.joined(separator: " UNION ALL ")) ORDER BY id \(page.order) LIMIT \(limit)"
        return try Int64.fetchAll(db, query)
    }

    private static func decode(_ row: Row, _ statuses: [Int64: Status]) -> Notification? {
        let first = AccountRow.count
        guard let kind = Notification.Kind(rawValue: row[first + 1]) else { return nil }
        let statusID: Int64? = row[first + 2]
        let status = statusID.flatMap { statuses[$0] }
        guard statusID == nil || status != nil else { return nil }
        return Notification(id: row[first], kind: kind, from: AccountRow.decode(row), status: status)
    }
}
