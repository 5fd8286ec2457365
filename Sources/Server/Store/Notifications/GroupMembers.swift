import FeedCore

/// The newest notifications of a group, divided into those that may be shown and the others.
struct GroupMembers {
    /// The number of groups read per query.
    private static let batch = 40

    /// The newest notification that may be shown.
    private(set) var newest: Int64?
    /// The accounts of the newest notifications that may be shown, newest first.
    private(set) var samples: [Int64] = []
    /// The number of notifications read that must be hidden.
    private(set) var hidden = 0

    /// Reads the members of groups, keyed by the id of the group.
    static func read(_ groups: [Int64], _ reader: NotificationReader, in db: Database) throws -> [Int64: GroupMembers] {
        var found: [Int64: GroupMembers] = [:]
        var rest = groups[...]
        while !rest.isEmpty {
            let rows = try db.fetchAll(query(Array(rest.prefix(batch)), reader))
            rest = rest.dropFirst(batch)
            // A union has no order.
            for row in rows.sorted(by: { $0[1] as Int64 > $1[1] as Int64 }) {
                found[row[0], default: GroupMembers()].add(row[1], by: row[2], isShown: row[3])
            }
        }
        return found
    }

    private static func query(_ groups: [Int64], _ reader: NotificationReader) -> SQL {
        let parts = groups.map { group -> SQL in
            """
            SELECT * FROM (SELECT m.group_id, m.id, m.from_id, m.kind FROM notification m WHERE m.group_id = \(group)
                ORDER BY m.id DESC LIMIT \(NotificationGroupReader.sampleRows)) part
            """
        }
        return """
            SELECT n.group_id, n.id, n.from_id, CASE WHEN EXISTS (
                SELECT 1 FROM account a WHERE a.id = n.from_id AND \(reader.wanted)) THEN 1 ELSE 0 END
            FROM (\(parts.joined(separator: " UNION ALL "))) n
            """
    }

    private mutating func add(_ id: Int64, by account: Int64, isShown: Bool) {
        guard isShown else { return hidden += 1 }
        if newest == nil { newest = id }
        if samples.count < NotificationGroup.maximumSamples { samples.append(account) }
    }
}
