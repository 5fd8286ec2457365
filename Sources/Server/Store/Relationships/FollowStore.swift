package import FeedCore

/// Stores follows and follow requests in the database.
package struct FollowStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Follows an account, or requests to follow it if it is locked. An existing follow is updated.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same or one blocks the other; `.invalid`
    ///   beyond ``FollowRule/maximum``.
    package func follow(_ followee: Int64, by follower: Int64, _ update: FollowUpdate = FollowUpdate()) async throws {
        try await change(follower, followee) { pair, now, db in try pair.follow(update, at: now, in: db) }
    }

    /// Ends a follow or withdraws a follow request.
    package func unfollow(_ followee: Int64, by follower: Int64) async throws {
        try await change(follower, followee) { pair, now, db in
            try pair.end(at: now, in: db)
            try pair.dropRequest(logging: .unfollowed, at: now, in: db)
        }
    }

    /// Removes a follower; a pending follow request is kept.
    package func removeFollower(_ follower: Int64, from followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in try pair.end(at: now, in: db) }
    }

    /// Accepts a follow request.
    /// - Throws: ``FeedError`` `.notFound` if there is no such request.
    package func accept(_ follower: Int64, by followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in try pair.accept(at: now, in: db) }
    }

    /// Rejects a follow request.
    /// - Throws: ``FeedError`` `.notFound` if there is no such request.
    package func reject(_ follower: Int64, by followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in
            guard try pair.dropRequest(logging: .followRejected, at: now, in: db) else { throw FeedError.notFound }
        }
    }

    private func change(
        _ follower: Int64, _ followee: Int64, _ body: @escaping @Sendable (FollowPair, Int64, Database) throws -> Void
    ) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try body(FollowPair(follower: follower, followee: followee), now, db)
        }
    }
}

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
