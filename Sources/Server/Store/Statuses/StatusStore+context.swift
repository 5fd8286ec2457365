package import FeedCore

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
