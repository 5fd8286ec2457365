package import FeedCore

extension StatusStore {
    package func reactions(
        _ relation: ReactionKind, of id: Int64, page: Pagination, for viewer: Int64?
    ) async throws -> [StatusReaction]? {
        let now = database.clock.now()
        return try await database.read { db in
            guard let status = try Self.find(db, id: id, for: viewer) else { return nil }
            let query = Self.reactions(relation, of: status.id, page, for: viewer, now: now)
            let found = try db.fetchAll(query).map { row in
                StatusReaction(pageID: row[AccountRow.count], account: try AccountRow.decode(row))
            }
            return page.readsUpwards ? found.reversed() : found
        }
    }

    /// The query for a page of reactions. It reads an index in the order of the list, so that the cost depends only on
    /// the page size: boosts are ordered by their own id, favourites by the id of the account.
    static func reactions(
        _ relation: ReactionKind, of id: Int64, _ page: Pagination, for viewer: Int64?, now: Int64
    ) -> SQL {
        let (table, column, key): (SQL, SQL, String) =
            relation == .favourited ? ("favourite", "status_id", "x.account_id") : ("status", "boost_of_id", "x.id")
        // A followers-only boost is not visible to everyone.
        let seen: SQL = relation == .boosted ? StatusVisibility.rule("x", author: "a", viewer: viewer) : "1 = 1"
        return """
            SELECT \(sql: AccountRow.columns), \(sql: key) FROM \(table) x CROSS JOIN account a ON a.id = x.account_id
            WHERE x.\(column) = \(id) AND \(page.bounds(on: key)) AND \(seen)
            AND \(sql: AccountRow.visible) AND \(StatusVisibility.accepts("a.id", viewer: viewer, now: now))
            ORDER BY \(sql: key) \(page.order) LIMIT \(page.limit)
            """
    }
}
