import FeedCore

/// The newest notifications of a group, divided into visible and hidden ones.
struct GroupMembers {
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
        let senders = Array(Set(rows.map { $0[2] as Int64 }))
        let query: SQL = """
            SELECT a.id FROM account a
            WHERE a.id IN (\(ids: senders)) AND \(sql: AccountRow.published) AND \(reader.isAccepted)
            """
        let accepted = try Int64.fetchAll(db, query)
        return divide(rows, Set(accepted))
    }

    private static func divide(_ rows: [Row], _ accepted: Set<Int64>) -> [Int64: GroupMembers] {
        var found: [Int64: GroupMembers] = [:]
        // A union has no order.
        for row in rows.sorted(by: { $0[1] as Int64 > $1[1] as Int64 }) {
            let sender: Int64 = row[2]
            found[row[0], default: GroupMembers()].add(row[1], by: sender, isShown: accepted.contains(sender))
        }
        return found
    }

    private static func query(_ groups: some Collection<Int64>) -> SQL {
        let parts = groups.map { group -> SQL in
            """
            SELECT * FROM (SELECT group_id, id, from_id FROM notification WHERE group_id = \(group)
                ORDER BY id DESC LIMIT \(NotificationGroupReader.sampleRows)) part
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
