import FeedCore

/// The stored groups of an account's notifications, as far as they may still be shown.
///
/// A group has a row of its own, so the cost of a page does not depend on the size of its groups: at most
/// ``sampleRows`` notifications are read per group. A group whose newest ones must all be hidden is omitted.
struct NotificationGroupStore {
    /// A group, or a notification that is shown alone, as found in an index.
    private struct Candidate {
        /// The id of the newest notification.
        let position: Int64
        let group: Int64?
    }

    private struct Entry {
        let id: Int64?
        var value: NotificationGroup
    }

    /// The number of notifications read per group, so that a few that must be hidden leave enough to show.
    static let sampleRows = 2 * NotificationGroup.maximumSamples

    private let reader: NotificationReader

    init(account: Int64, now: Int64) { reader = NotificationReader(account: account, now: now) }

    func page(_ page: Pagination, _ filter: NotificationFilter, in db: Database) throws -> Page<NotificationGroup> {
        let maximumRows = page.limit * NotificationReader.scanFactor
        let candidates = try candidates(page, filter, limit: maximumRows, in: db)
        let filled = try Page<Entry>.filled(
            page, from: candidates, isComplete: candidates.count < maximumRows, id: \.position
        ) {
            // A group may have become newer through notifications that are hidden.
            try entries($0, in: db).filter { $0.value.newestID > page.floor ?? -1 }
        }
        let groups = try bounded(filled.entries, from: Self.oldest(of: filled, page), in: db)
        return Page(entries: groups, newest: filled.newest, oldest: filled.oldest, hasOlder: filled.hasOlder)
    }

    func group(_ key: NotificationGroupKey, in db: Database) throws -> NotificationGroup? {
        switch key {
        case .single(let id): return try reader.readable([id], in: db).first.map { NotificationGroup($0) }
        case .group(let text):
            guard let id = try db.notificationGroup(text, of: reader.account) else { return nil }
            return try entries([Candidate(position: id, group: id)], in: db).first?.value
        }
    }

    /// The accounts of the notifications of a group.
    func accounts(in group: Int64, _ page: Pagination, in db: Database) throws -> Page<Account> {
        let maximumRows = page.limit * NotificationReader.scanFactor
        let query: SQL = """
            SELECT n.id FROM notification n WHERE n.group_id = \(group) AND \(page.bounds(on: "n.id"))
            ORDER BY n.id \(page.order) LIMIT \(maximumRows)
            """
        let ids = try db.fetchAll(query, as: Int64.self)
        return try .filled(page, from: ids, isComplete: ids.count < maximumRows, id: { $0 }) {
            let query: SQL = """
                SELECT \(sql: AccountRow.columns) FROM notification n CROSS JOIN account a ON a.id = n.from_id
                WHERE n.id IN (\(ids: $0)) AND \(reader.visibilityCondition) ORDER BY n.id \(page.order)
                """
            return try db.fetchAll(query).map { try AccountRow.decode($0) }
        }
    }

    /// The number of groups within a page's bounds that may be shown.
    func count(_ page: Pagination, _ filter: NotificationFilter, in db: Database) throws -> Int {
        let candidates = try candidates(page, filter, limit: page.limit, in: db)
        let shown = try reader.visible(candidates.map(\.position), in: db)
        let hidden = candidates.filter { !shown.contains($0.position) }.compactMap(\.group)
        let others = try GroupMembers.read(hidden, reader, in: db).values
        return shown.count + others.count { $0.newest.map { $0 > page.floor ?? -1 } ?? false }
    }
}

extension NotificationGroupStore {
    /// The groups and single notifications within the page's bounds, in reading order. Each kind is read from its own
    /// index range.
    private func candidates(
        _ page: Pagination, _ filter: NotificationFilter, limit: Int, in db: Database
    ) throws -> [Candidate] {
        let kinds = filter.orderedKinds
        guard !kinds.isEmpty else { return [] }
        let grouped = filter.groupedKinds.intersection(NotificationGroupKey.groupedKinds)
        let end: SQL = "ORDER BY id \(page.order) LIMIT \(limit)"
        let query: SQL
        if let from = filter.from {
            // An account causes at most one notification of a group.
            query = """
                SELECT id, CASE WHEN kind IN \(list: grouped.map(\.rawValue).sorted()) THEN group_id END
                FROM notification WHERE account_id = \(reader.account) AND from_id = \(from)
                AND \(filter.kindCondition) AND \(page.bounds(on: "id")) \(end)
                """
        } else {
            let parts = kinds.map { part($0, isGrouped: grouped.contains($0), page, limit) }
            query = "\(parts.joined(separator: " UNION ALL ")) \(end)"
        }
        return try db.fetchAll(query).map { try Candidate(position: $0[0], group: $0[1]) }
    }

    private func part(_ kind: Notification.Kind, isGrouped: Bool, _ page: Pagination, _ limit: Int) -> SQL {
        let rows: SQL = "account_id = \(reader.account) AND kind = \(kind.rawValue)"
        guard isGrouped else {
            return """
                SELECT * FROM (SELECT id, CAST(NULL AS BIGINT) AS group_id FROM notification
                    WHERE \(rows) AND \(page.bounds(on: "id")) ORDER BY id \(page.order) LIMIT \(limit)) part
                """
        }
        return """
            SELECT * FROM (SELECT newest_id AS id, id AS group_id FROM notification_group
                WHERE \(rows) AND \(page.bounds(on: "newest_id")) ORDER BY newest_id \(page.order) LIMIT \(limit)) part
            """
    }

    /// The candidates that may be shown, in their order.
    private func entries(_ candidates: [Candidate], in db: Database) throws -> [Entry] {
        let alone = try reader.readable(candidates.filter { $0.group == nil }.map(\.position), in: db)
        let singles = Dictionary(alone.map { ($0.id, $0) }) { first, _ in first }
        let groups = try read(candidates.compactMap(\.group), in: db)
        return candidates.compactMap { candidate in
            if let group = candidate.group { return groups[group].map { Entry(id: group, value: $0) } }
            return singles[candidate.position].map { Entry(id: nil, value: NotificationGroup($0)) }
        }
    }

    private func read(_ ids: [Int64], in db: Database) throws -> [Int64: NotificationGroup] {
        let members = try GroupMembers.read(ids, reader, in: db)
        let samples = members.values.flatMap(\.samples)
        let accounts = try db.accounts(samples)
        let rows = try db.fetchAll(
            """
            SELECT id, group_key, kind, status_id, count FROM notification_group
            WHERE account_id = \(reader.account) AND id IN (\(ids: ids))
            """)
        let statuses = try StatusStore.find(db, ids: rows.compactMap { try $0[3] }, for: reader.account)
        var groups: [Int64: NotificationGroup] = [:]
        for row in rows {
            guard let members = try members[row[0]], let newest = members.newest,
                let kind = try Notification.Kind(rawValue: row[2])
            else { continue }
            let statusID: Int64? = try row[3]
            let status = statusID.flatMap { statuses[$0] }
            guard (statusID == nil) == (status == nil) else { continue }
            groups[try row[0]] = NotificationGroup(
                key: try row[1], kind: kind, count: max(members.samples.count, max(0, try row[4]) - members.hidden),
                newestID: newest,
                accounts: members.samples.compactMap { accounts[$0] }, status: status)
        }
        return groups
    }

    /// The oldest notification that is part of a page. Without further pages, that is every one.
    private static func oldest(of filled: Page<Entry>, _ page: Pagination) -> Int64 {
        if page.isAscending || filled.hasOlder { return filled.oldest ?? 0 }
        return (page.floor ?? -1) + 1
    }

    /// Adds the oldest notification of each group within the page.
    private func bounded(_ entries: [Entry], from oldest: Int64, in db: Database) throws -> [NotificationGroup] {
        let ids = entries.compactMap(\.id)
        let rows =
            try ids.isEmpty
            ? []
            : db.fetchAll(
                """
                SELECT g.id, (SELECT min(n.id) FROM notification n WHERE n.group_id = g.id AND n.id >= \(oldest))
                FROM notification_group g WHERE g.id IN (\(ids: ids))
                """)
        let bounds = try Dictionary(rows.map { try ($0[0] as Int64, $0[1] as Int64?) }) { first, _ in first }
        return entries.map { entry in
            var group = entry.value
            let bound = entry.id.flatMap { bounds[$0] ?? nil }
            group.pageMinID = min(bound ?? group.newestID, group.newestID)
            return group
        }
    }
}

/// The newest notifications of a group, divided into visible and hidden ones.
private struct GroupMembers {
    /// The number of groups read per query.
    private static let batch = 40

    /// The newest notification that may be shown.
    private(set) var newest: Int64?
    /// The accounts of the newest notifications that may be shown, newest first.
    private(set) var samples: [Int64] = []
    /// The number of notifications read that must be hidden.
    private(set) var hidden = 0

    /// Reads the members of groups of kinds that everybody gets, keyed by the id of the group.
    static func read(_ groups: [Int64], _ reader: NotificationReader, in db: Database) throws -> [Int64: GroupMembers] {
        var rows: [Row] = []
        var rest = groups[...]
        while !rest.isEmpty {
            rows += try db.fetchAll(query(rest.prefix(batch)))
            rest = rest.dropFirst(batch)
        }
        // The same accounts often cause many notifications.
        let senders = try Array(Set(rows.map { try $0[2] as Int64 }))
        let query: SQL = """
            SELECT a.id FROM account a
            WHERE a.id IN (\(ids: senders)) AND \(sql: AccountRow.published) AND \(reader.senderCondition)
            """
        let accepted = try db.fetchAll(query, as: Int64.self)
        return try divide(rows, Set(accepted))
    }

    private static func divide(_ rows: [Row], _ accepted: Set<Int64>) throws -> [Int64: GroupMembers] {
        var members: [Int64: GroupMembers] = [:]
        // A union has no order.
        for row in try rows.sorted(by: { try $0[1] as Int64 > $1[1] as Int64 }) {
            let sender: Int64 = try row[2]
            members[try row[0], default: GroupMembers()].add(try row[1], by: sender, isShown: accepted.contains(sender))
        }
        return members
    }

    private static func query(_ groups: some Collection<Int64>) -> SQL {
        let parts = groups.map { group -> SQL in
            """
            SELECT * FROM (SELECT group_id, id, from_id FROM notification WHERE group_id = \(group)
                ORDER BY id DESC LIMIT \(NotificationGroupStore.sampleRows)) part
            """
        }
        return parts.joined(separator: " UNION ALL ")
    }

    private mutating func add(_ id: Int64, by account: Int64, isShown: Bool) {
        guard isShown else { return hidden += 1 }
        if newest == nil { newest = id }
        if samples.count < NotificationGroup.maximumSamples { samples.append(account) }
    }
}

/// Keeps groups of notifications correct: their counts and their newest notifications. Notifications are added and
/// deleted only through these functions and, together with their group, with their status or recipient.
extension Database {
    /// The group with a key.
    func notificationGroup(_ key: String, of account: Int64) throws -> Int64? {
        let query: SQL = "SELECT id FROM notification_group WHERE account_id = \(account) AND group_key = \(key)"
        return try fetchOne(query, as: Int64.self)
    }

    /// Counts a new notification, which creates the group if it is the first one.
    func addMember(
        _ id: Int64, to group: Int64, _ key: String, of account: Int64, _ kind: Notification.Kind, status: Int64?
    ) throws {
        try execute(
            """
            INSERT INTO notification_group (id, account_id, group_key, kind, status_id, newest_id, count)
            VALUES (\(group), \(account), \(key), \(kind.rawValue), \(status), \(id), 1) ON CONFLICT (id)
            DO UPDATE SET newest_id = excluded.newest_id, count = notification_group.count + 1
            """)
    }

    /// Deletes notifications.
    /// - Parameter condition: A condition on the columns of `notification`.
    /// - Returns: The number of deleted notifications; less than `limit` if none are left.
    @discardableResult
    func deleteNotifications(where condition: SQL, limit: Int) throws -> Int {
        let rows = try fetchAll("SELECT id, group_id FROM notification WHERE \(condition) LIMIT \(limit)")
        guard !rows.isEmpty else { return 0 }
        try execute("DELETE FROM notification WHERE id IN (\(ids: rows.map { try $0[0] }))")
        let groups = try rows.compactMap { try $0[1] as Int64? }
        for (group, count) in Dictionary(groups.map { ($0, 1) }, uniquingKeysWith: +) {
            try shrink(group, by: count)
        }
        return rows.count
    }

    private func shrink(_ group: Int64, by count: Int) throws {
        try execute(
            """
            UPDATE notification_group SET count = count - \(count),
            newest_id = coalesce((SELECT max(n.id) FROM notification n WHERE n.group_id = \(group)), 0)
            WHERE id = \(group)
            """)
        try execute("DELETE FROM notification_group WHERE id = \(group) AND count <= 0")
    }
}
