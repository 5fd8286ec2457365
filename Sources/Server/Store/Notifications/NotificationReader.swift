import FeedCore

/// Reads the notifications of an account that may still be shown. It omits notifications from accounts that are
/// suspended, muted (if the mute hides notifications), blocked or blocking, or silenced and not followed, and
/// notifications about a status that is no longer visible. Administrators see all sign-ups and reports.
struct NotificationReader {
    /// The maximum number of rows read per requested entry, which bounds the cost of hidden notifications.
    static let scanFactor = 5

    let account: Int64
    let now: Int64

    func page(_ page: Pagination, _ filter: NotificationFilter, in db: Database) throws -> Page<Notification> {
        let maximumRows = page.limit * Self.scanFactor
        let ids = try scan(page, filter, limit: maximumRows, in: db)
        return try .filled(page, from: ids, isComplete: ids.count < maximumRows, id: { $0 }) {
            let notifications = try readable($0, in: db)
            return page.isAscending ? notifications.reversed() : notifications
        }
    }

    /// The notifications among `ids` that may be shown, newest first.
    func readable(_ ids: [Int64], in db: Database) throws -> [Notification] {
        guard !ids.isEmpty else { return [] }
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), n.id, n.kind, n.status_id, n.report_id, g.group_key
            FROM notification n CROSS JOIN account a ON a.id = n.from_id
            LEFT JOIN notification_group g ON g.id = n.group_id
            WHERE n.id IN \(list: ids) AND n.account_id = \(account) AND \(visibilityCondition) ORDER BY n.id DESC
            """
        let rows = try db.fetchAll(query)
        let statuses = try StatusStore.find(db, ids: rows.compactMap { try $0[AccountRow.count + 2] }, for: account)
        let reports = try reports(rows.compactMap { try $0[AccountRow.count + 3] }, in: db)
        return try rows.compactMap { try Self.decode($0, statuses, reports) }
    }

    /// The number of notifications within a page's bounds that may be shown.
    func count(_ page: Pagination, _ filter: NotificationFilter, in db: Database) throws -> Int {
        try visible(scan(page, filter, limit: page.limit, in: db), in: db).count
    }

    /// The ids of the notifications that may be shown.
    func visible(_ ids: [Int64], in db: Database) throws -> Set<Int64> {
        guard !ids.isEmpty else { return [] }
        let query: SQL = """
            SELECT n.id FROM notification n CROSS JOIN account a ON a.id = n.from_id
            WHERE n.id IN \(list: ids) AND \(visibilityCondition) AND (n.status_id IS NULL OR EXISTS (
                SELECT 1 FROM status e CROSS JOIN account ea ON ea.id = e.account_id
                WHERE e.id = n.status_id AND \(StatusVisibility.entry(viewer: account))))
            """
        return Set(try db.fetchAll(query, as: Int64.self))
    }
}

extension NotificationReader {
    private static let moderation = Notification.Kind.forModerators.map(\.rawValue)

    /// Whether a notification `n` by an account `a` may be shown.
    var visibilityCondition: SQL {
        """
        \(sql: AccountRow.published)
        AND ((n.kind NOT IN \(list: Self.moderation) AND \(senderCondition))
            OR (n.kind IN \(list: Self.moderation) AND \(isModerator)))
        """
    }

    /// Whether notifications by a published account `a` may be shown, except those for administrators.
    var senderCondition: SQL {
        """
        a.suspended_at IS NULL AND \(StatusVisibility.isListed("a", viewer: account))
        AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(account) AND b.target_id = a.id)
        AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = a.id AND b.target_id = \(account))
        AND NOT EXISTS (SELECT 1 FROM mute m WHERE m.account_id = \(account) AND m.target_id = a.id
            AND m.hides_notifications = 1 AND (m.expires_at IS NULL OR m.expires_at > \(now)))
        """
    }

    /// A former administrator no longer sees sign-ups and reports.
    private var isModerator: SQL {
        "EXISTS (SELECT 1 FROM account v WHERE v.id = \(account) AND v.role = 'admin')"
    }

    /// Ids within the page's bounds, in reading order. Each kind is read from its own index range, so that rare kinds
    /// are found without scanning all others.
    private func scan(_ page: Pagination, _ filter: NotificationFilter, limit: Int, in db: Database) throws -> [Int64] {
        guard !filter.kinds.isEmpty else { return [] }
        var rows: SQL = "account_id = \(account) AND \(page.bounds(on: "id"))"
        if let from = filter.from { rows += " AND from_id = \(from)" }
        let kinds = filter.orderedKinds
        let parts: [SQL]
        if kinds.count == Notification.Kind.allCases.count || filter.from != nil {
            parts = ["SELECT id FROM notification WHERE \(rows) AND \(filter.kindCondition)"]
        } else {
            parts = kinds.map { kind in
                """
                SELECT * FROM (SELECT id FROM notification WHERE \(rows) AND kind = \(kind.rawValue)
                    ORDER BY id \(page.order) LIMIT \(limit)) kind
                """
            }
        }
        let query: SQL = "\(parts.joined(separator: " UNION ALL ")) ORDER BY id \(page.order) LIMIT \(limit)"
        return try db.fetchAll(query, as: Int64.self)
    }

    private func reports(_ ids: [Int64], in db: Database) throws -> [Int64: Report] {
        guard !ids.isEmpty else { return [:] }
        let reports = try ReportRow.readWithoutStatuses("r.id IN (\(ids: ids))", in: db)
        return Dictionary(reports.map { ($0.id, $0) }) { first, _ in first }
    }

    private static func decode(
        _ row: Row, _ statuses: [Int64: Status], _ reports: [Int64: Report]
    ) throws -> Notification? {
        let first = AccountRow.count
        guard let kind = try Notification.Kind(rawValue: row[first + 1]) else { return nil }
        let (statusID, reportID): (Int64?, Int64?) = try (row[first + 2], row[first + 3])
        let (status, report) = (statusID.flatMap { statuses[$0] }, reportID.flatMap { reports[$0] })
        guard (statusID == nil) == (status == nil), (reportID == nil) == (report == nil) else { return nil }
        let (id, key): (Int64, String?) = try (row[first], row[first + 4])
        return Notification(
            id: id, kind: kind, from: try AccountRow.decode(row), status: status, report: report,
            groupKey: key ?? NotificationGroupKey.single(id).text)
    }
}

extension NotificationFilter {
    /// The kinds in a fixed order, so that equal filters give equal statements.
    var orderedKinds: [Notification.Kind] { Notification.Kind.allCases.filter(kinds.contains) }

    /// A condition on the kind, unless all kinds are selected.
    var kindCondition: SQL {
        let kinds = orderedKinds.map(\.rawValue)
        return kinds.count == Notification.Kind.allCases.count ? "1 = 1" : "kind IN \(list: kinds)"
    }
}

extension Page {
    /// Fills a page from rows of which some may not be shown.
    /// - Parameters:
    ///   - rows: The rows within the bounds of `page`, in reading order.
    ///   - isComplete: Whether there are no further rows.
    ///   - read: The entries of some rows, in reading order.
    static func filled<Element>(
        _ page: Pagination, from rows: [Element], isComplete: Bool, id: (Element) -> Int64,
        read: ([Element]) throws -> [Entry]
    ) rethrows -> Page {
        var rest = rows[...]
        var entries: [Entry] = []
        while entries.count < page.limit, !rest.isEmpty {
            let chunk = rest.prefix(page.limit - entries.count)
            rest = rest.dropFirst(chunk.count)
            entries += try read(Array(chunk))
        }
        let looked = rows.dropLast(rest.count)
        let (first, last) = (looked.first.map(id), looked.last.map(id))
        if page.isAscending {
            return Page(entries: entries.reversed(), newest: last, oldest: first, hasOlder: !looked.isEmpty)
        }
        return Page(entries: entries, newest: first, oldest: last, hasOlder: !rest.isEmpty || !isComplete)
    }
}
