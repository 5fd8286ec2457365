package import FeedCore
import GRDB

extension StatusStore {
    /// Statuses on either side of the one asked for.
    private static let contextLimit = 400

    package func context(of id: Int64, for viewer: Int64?) async throws -> StatusContext? {
        let now = database.surroundings.now()
        return try await database.read { db in
            guard let status = try Self.find(db, id: id, for: viewer) else { return nil }
            return StatusContext(
                ancestors: try Self.shown(Self.above(status.id, in: db), for: viewer, now: now, in: db).reversed(),
                descendants: try Self.shown(Self.below(status.id, in: db), for: viewer, now: now, in: db))
        }
    }

    private static func shown(_ ids: [Int64], for viewer: Int64?, now: Int64, in db: Database) throws -> [Status] {
        guard !ids.isEmpty else { return [] }
        let candidates = entries(
            "e.id IN (SELECT value FROM json_each(\(json(ids)))) AND \(StatusVisibility.wanted(viewer: viewer))",
            viewer: viewer)
        let found = try read(candidates, page: Page(limit: ids.count), for: viewer, now: now, in: db)
        let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { known[$0] }
    }

    /// What it answers, what that answers …
    private static func above(_ id: Int64, in db: Database) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: """
                WITH RECURSIVE above(id, depth) AS (
                    SELECT in_reply_to_id, 1 FROM status WHERE id = ?
                    UNION ALL
                    SELECT s.in_reply_to_id, depth + 1 FROM above JOIN status s ON s.id = above.id
                    WHERE above.id IS NOT NULL AND depth < \(contextLimit)
                ) SELECT id FROM above WHERE id IS NOT NULL ORDER BY depth
                """)
        return try Int64.fetchAll(statement, arguments: [id])
    }

    /// Replies, each followed by its own: the ORDER BY inside makes SQLite go down before it goes on.
    private static func below(_ id: Int64, in db: Database) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: """
                WITH RECURSIVE below(id, depth) AS (
                    SELECT ?, 0
                    UNION ALL
                    SELECT s.id, depth + 1 FROM below JOIN status s ON s.in_reply_to_id = below.id
                    ORDER BY 2 DESC, 1 LIMIT \(contextLimit)
                ) SELECT id FROM below WHERE depth > 0
                """)
        return try Int64.fetchAll(statement, arguments: [id])
    }
}
