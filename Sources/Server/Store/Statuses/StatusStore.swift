package import FeedCore

/// Stores statuses in the database.
package struct StatusStore: Sendable {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// - Returns: The status, or `nil` if it does not exist or `viewer` may not see it.
    package func status(id: Int64, for viewer: Int64?) async throws -> Status? {
        try await database.read { try Self.find($0, id: id, for: viewer) }
    }

    /// The statuses with the given ids that `viewer` may see, in the given order.
    package func statuses(ids: [Int64], for viewer: Int64?) async throws -> [Status] {
        try await database.read { db in
            let statuses = try Self.find(db, ids: ids, for: viewer)
            return ids.compactMap { statuses[$0] }
        }
    }

    /// The public ones among them, without statuses that lists omit, such as the statuses of accounts `viewer` mutes.
    package func listed(ids: [Int64], for viewer: Int64?) async throws -> [Status] {
        let condition = StatusVisibility.listCondition(viewer: viewer, now: database.clock.now())
        return try await database.read { db in
            let statuses = try Self.find(db, ids: ids, for: viewer, where: "\(condition) AND e.visibility = 0")
            return ids.compactMap { statuses[$0] }
        }
    }
}

extension StatusStore {
    /// The number of statuses read per query.
    private static let batch = 40

    static func find(_ db: Database, id: Int64, for viewer: Int64?) throws -> Status? {
        let part: SQL = "SELECT \(id) AS id"
        return try read(db, part: part, viewer, StatusVisibility.entry(viewer: viewer)).first
    }

    /// The statuses among `ids` that the viewer may see, keyed by the requested id, which may be that of a boost.
    /// - Parameter condition: An additional condition on the status `e` and its author `ea`.
    static func find(
        _ db: Database, ids: [Int64], for viewer: Int64?, where condition: SQL = "1 = 1"
    ) throws -> [Int64: Status] {
        try read(db, ids: ids, for: viewer, where: "\(StatusVisibility.entry(viewer: viewer)) AND \(condition)")
    }

    /// The statuses among `ids` that meet a condition, regardless of visibility.
    static func read(
        _ db: Database, ids: [Int64], for viewer: Int64?, where condition: SQL
    ) throws -> [Int64: Status] {
        var statuses: [Int64: Status] = [:]
        var rest = Array(Set(ids))[...]
        while !rest.isEmpty {
            let some = rest.prefix(batch)
            rest = rest.dropFirst(batch)
            let part: SQL = "SELECT value AS id FROM (\(ids: Array(some))) ids"
            for status in try read(db, part: part, viewer, condition) { statuses[status.pageID] = status }
        }
        return statuses
    }

    private static func read(
        _ db: Database, part: SQL, _ viewer: Int64?, _ condition: SQL
    ) throws -> [Status] {
        let candidates: SQL = """
            SELECT w.id, w.id FROM (\(part)) w CROSS JOIN status e ON e.id = w.id
            CROSS JOIN account ea ON ea.id = e.account_id WHERE \(condition)
            """
        return try StatusRow.read(StatusCandidates(query: candidates), for: viewer, in: db)
    }
}

extension StatusMark {
    var table: String {
        switch self {
        case .favourite: "favourite"
        case .bookmark: "bookmark"
        case .pin: "pin"
        case .conversationMute: "conversation_mute"
        }
    }
}

extension StatusStore {
    /// The maximum number of viewers per query.
    private static let viewersPerQuery = 1000

    /// A status or boost with the marks of several viewers. The caller has checked that they may see it.
    /// - Returns: `nil` if it does not exist, or its author is suspended.
    package func shared(id: Int64, among viewers: [Int64]) async throws -> SharedStatus? {
        let stands: SQL = "ea.suspended_at IS NULL AND \(StatusVisibility.published("e"))"
        let status = try await database.read { db in try Self.read(db, ids: [id], for: nil, where: stands)[id] }
        guard let status else { return nil }
        var shared = SharedStatus(status: status, marks: [:])
        for some in viewers.chunks(of: Self.viewersPerQuery) {
            let query = Self.marks(on: status, of: Array(some))
            for row in try await database.read({ try $0.fetchAll(query) }) {
                try Self.add(row, to: &shared.marks[row[0], default: .init()])
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

    private static func add(_ row: Row, to marks: inout SharedStatus.Marks) throws {
        switch try row[1] as Int {
        case 0: marks.marks.insert(.favourite)
        case 1: marks.marks.insert(.bookmark)
        case 2: marks.marks.insert(.pin)
        case 3: marks.marks.insert(.conversationMute)
        case 4: marks.isBoosted = true
        default: marks.votes.append(try row[2])
        }
    }
}

extension StatusStore {
    /// The maximum number of ancestors, and of descendants.
    private static let contextLimit = 400

    /// The conversation that contains a status; `nil` if the viewer may not see the status.
    package func context(of id: Int64, for viewer: Int64?) async throws -> StatusContext? {
        let now = database.clock.now()
        return try await database.read { db in
            guard let status = try Self.find(db, id: id, for: viewer) else { return nil }
            let (above, below) = (try Self.above(status.id, in: db), try Self.below(status.id, in: db))
            let ancestors = try Self.visibleStatuses(above, for: viewer, now: now, in: db)
            let descendants = try Self.visibleStatuses(below, for: viewer, now: now, in: db)
            return StatusContext(
                ancestors: ancestors.reversed(), descendants: descendants,
                hidden: Set(above + below).subtracting((ancestors + descendants).map(\.id)))
        }
    }

    private static func visibleStatuses(_ ids: [Int64], for viewer: Int64?, now: Int64, in db: Database) throws
        -> [Status]
    {
        let condition = StatusVisibility.listCondition(viewer: viewer, now: now)
        let statuses = try find(db, ids: ids, for: viewer, where: condition)
        return ids.compactMap { statuses[$0] }
    }

    /// The ancestors of a status, nearest first.
    private static func above(_ id: Int64, in db: Database) throws -> [Int64] {
        let query: SQL = """
            WITH RECURSIVE above(id, depth) AS (
                SELECT in_reply_to_id, 1 FROM status WHERE id = \(id)
                UNION ALL
                SELECT s.in_reply_to_id, depth + 1 FROM above JOIN status s ON s.id = above.id
                WHERE above.id IS NOT NULL AND depth < \(sql: contextLimit)
            ) SELECT id FROM above WHERE id IS NOT NULL ORDER BY depth
            """
        return try db.fetchAll(query, as: Int64.self)
    }

    /// The descendants of a status in depth-first order. Each step takes two index seeks, so the cost does not grow
    /// with the number of replies.
    static func below(_ id: Int64, in db: Database) throws -> [Int64] {
        var descendants: [Int64] = []
        // The path from the status to the descendant found last.
        var path = [id]
        var next = try reply(to: id, after: 0, in: db)
        while descendants.count < contextLimit {
            if let reply = next {
                descendants.append(reply)
                path.append(reply)
                next = try Self.reply(to: reply, after: 0, in: db)
            } else {
                guard let done = path.popLast(), let parent = path.last else { break }
                next = try reply(to: parent, after: done, in: db)
            }
        }
        return descendants
    }

    private static func reply(to id: Int64, after earlier: Int64, in db: Database) throws -> Int64? {
        let query: SQL = "SELECT id FROM status WHERE in_reply_to_id = \(id) AND id > \(earlier) ORDER BY id LIMIT 1"
        return try db.fetchOne(query, as: Int64.self)
    }
}
