package import FeedCore

extension FollowStore {
    /// The number of followed accounts that are considered, and the number of familiar followers that are listed.
    private static let familiarCandidates = 2000
    private static let familiarMaximum = 40

    /// Pending follow requests, newest first; paged by request id.
    package func requests(to followee: Int64, page: Pagination) async throws -> [FollowRequest] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), r.id FROM follow_request r CROSS JOIN account a ON a.id = r.follower_id
            WHERE r.followee_id = \(followee) AND \(page.bounds(on: "r.id")) AND \(sql: AccountRow.visible)
            ORDER BY r.id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { row in
            try FollowRequest(id: row[AccountRow.count], account: try AccountRow.decode(row))
        }
    }

    /// The number of pending follow requests.
    package func requestsCount(to followee: Int64) async throws -> Int {
        try await database.read { db in
            let sql: SQL = """
                SELECT count(*) FROM follow_request r CROSS JOIN account a ON a.id = r.follower_id
                WHERE r.followee_id = \(followee) AND \(sql: AccountRow.visible)
                """
            return try db.fetchOne(sql, as: Int.self) ?? 0
        }
    }

    /// The followers of an account, newest account first; paged by account id. Empty if the account blocks the viewer.
    package func followers(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [Account] {
        try await list("follower_id", where: "followee_id", is: account, page, viewer)
    }

    /// The accounts that an account follows, newest account first; paged by account id. Empty if the account blocks the
    /// viewer.
    package func following(of account: Int64, page: Pagination, for viewer: Int64?) async throws -> [Account] {
        try await list("followee_id", where: "follower_id", is: account, page, viewer)
    }

    /// The followers of an account whom the viewer follows, newest account first; without those who hide whom they
    /// follow. At most 40, among the newest 2,000 whom the viewer follows.
    package func familiarFollowers(of account: Int64, for viewer: Int64) async throws -> [Account] {
        let now = database.clock.now()
        let query = Self.familiarQuery(account, viewer, at: now)
        return try await database.read { db in try db.fetchAll(query).map { try AccountRow.decode($0) } }
    }

    static func familiarQuery(_ account: Int64, _ viewer: Int64, at now: Int64) -> SQL {
        """
        SELECT \(sql: AccountRow.columns) FROM (
            SELECT f.followee_id AS id FROM follow f WHERE f.follower_id = \(viewer)
            AND \(StatusVisibility.published("f")) ORDER BY f.followee_id DESC LIMIT \(familiarCandidates)) w
        CROSS JOIN account a ON a.id = w.id
        WHERE \(sql: AccountRow.visible) AND (a.privacy & \(Account.Privacy.hidesCollections.rawValue)) = 0
        AND EXISTS (SELECT 1 FROM follow g WHERE g.follower_id = a.id AND g.followee_id = \(account)
            AND \(StatusVisibility.published("g")))
        AND \(acceptable(to: viewer, in: account, at: now))
        ORDER BY a.id DESC LIMIT \(familiarMaximum)
        """
    }

    private func list(
        _ wanted: String, where known: String, is account: Int64, _ page: Pagination, _ viewer: Int64?
    ) async throws -> [Account] {
        let now = database.clock.now()
        let query = Self.query(wanted, where: known, is: account, page, viewer, at: now)
        return try await database.list(query, page) { try AccountRow.decode($0) }
    }

    static func query(
        _ wanted: String, where known: String, is account: Int64, _ page: Pagination, _ viewer: Int64?, at now: Int64
    ) -> SQL {
        """
        SELECT \(sql: AccountRow.columns) FROM follow f CROSS JOIN account a ON a.id = f.\(sql: wanted)
        WHERE f.\(sql: known) = \(account) AND \(page.bounds(on: "f." + wanted)) AND \(sql: AccountRow.visible)
        AND f.import_id NOT IN (SELECT id FROM staged_import)
        AND \(acceptable(to: viewer, in: account, at: now))
        ORDER BY f.\(sql: wanted) \(page.order) LIMIT \(page.limit)
        """
    }

    /// Lists of other accounts omit accounts that the viewer blocks or mutes, and accounts that block the viewer.
    static func acceptable(to viewer: Int64?, in owner: Int64, at now: Int64) -> SQL {
        guard let viewer, viewer != owner else { return "1 = 1" }
        return """
            NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(owner) AND b.target_id = \(viewer))
            AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = a.id AND b.target_id = \(viewer))
            AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account_id = \(viewer) AND b.target_id = a.id)
            AND NOT EXISTS (SELECT 1 FROM mute m WHERE m.account_id = \(viewer) AND m.target_id = a.id
                AND (m.expires_at IS NULL OR m.expires_at > \(now)))
            """
    }
}
