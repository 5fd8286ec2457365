package import FeedCore

extension StatusStore {
    /// The maximum number of viewers per query.
    private static let viewersPerQuery = 1000

    package func shared(id: Int64, among viewers: [Int64]) async throws -> SharedStatus? {
        let stands: SQL = "ea.suspended_at IS NULL AND \(StatusVisibility.published("e"))"
        let found = try await database.read { db in try Self.read(db, ids: [id], for: nil, where: stands)[id] }
        guard let found else { return nil }
        var shared = SharedStatus(status: found, marks: [:])
        for some in viewers.chunks(of: Self.viewersPerQuery) {
            let query = Self.marks(on: found, of: Array(some))
            for row in try await database.read({ try $0.fetchAll(query) }) {
                Self.add(row, to: &shared.marks[row[0], default: .init()])
            }
        }
        return shared
    }

    /// A query of (account, kind of the mark, number of the chosen option).
    private static func marks(on status: Status, of viewers: [Int64]) -> SQL {
        func part(_ kind: Int, _ table: String, _ condition: SQL, number: String = "0") -> SQL {
            """
            SELECT x.account_id, \(sql: String(kind)) AS kind, \(sql: number) AS number FROM \(sql: table) x
            WHERE \(condition) AND x.account_id IN (\(ids: viewers))
            """
        }
        var parts = [
            part(0, "favourite", "x.status_id = \(status.id)"), part(1, "bookmark", "x.status_id = \(status.id)"),
            part(2, "pin", "x.status_id = \(status.id) AND x.account_id = \(status.account.id)"),
            part(
                3, "conversation_mute",
                """
                x.conversation_id = (SELECT coalesce(s.conversation_id, s.id) FROM status s WHERE s.id = \(status.id))
                """),
            part(4, "status", "x.boost_of_id = \(status.id)"),
        ]
        if status.poll != nil { parts.append(part(5, "poll_vote", "x.status_id = \(status.id)", number: "x.number")) }
        return "\(parts.joined(separator: " UNION ALL ")) ORDER BY kind, number"
    }

    private static func add(_ row: Row, to marks: inout SharedStatus.Marks) {
        switch row[1] as Int {
        case 0: marks.marks.insert(.favourite)
        case 1: marks.marks.insert(.bookmark)
        case 2: marks.marks.insert(.pin)
        case 3: marks.marks.insert(.conversationMute)
        case 4: marks.isBoosted = true
        default: marks.votes.append(row[2])
        }
    }
}
