package import FeedCore

/// Stores followed hashtags in the database, by their ``Hashtag/key(_:)``.
package struct FollowedTagStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Follows a hashtag. To follow it again changes nothing.
    /// - Throws: ``FeedError`` `.invalid` beyond ``TagRule/maximum``; `.forbidden` for a removed account.
    package func follow(tag: String, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.requireActiveAccount(account)
            guard try !Self.isFollowed(tag, by: account, in: db) else { return }
            let count: SQL = "SELECT count(*) FROM tag_follow WHERE account_id = \(account)"
            try TagRule.checkNumber(try db.fetchOne(count, as: Int.self) ?? 0)
            try db.execute(
                "INSERT INTO tag_follow (account_id, tag, id) VALUES (\(account), \(tag), \(try db.nextID(now: now)))")
            try db.log(.tagFollowed, account: account, at: now)
        }
    }

    /// Unfollows a hashtag, if it is followed.
    package func unfollow(tag: String, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.execute("DELETE FROM tag_follow WHERE account_id = \(account) AND tag = \(tag)")
            if try db.changesCount > 0 { try db.log(.tagUnfollowed, account: account, at: now) }
        }
    }

    /// The hashtags that an account follows, the newest follow first.
    package func followedTags(by account: Int64, page: Pagination) async throws -> [FollowedTag] {
        let query: SQL = """
            SELECT t.id, t.tag FROM tag_follow t WHERE t.account_id = \(account) AND \(page.bounds(on: "t.id"))
            ORDER BY t.id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try FollowedTag(id: $0[0], name: $0[1]) }
    }

    /// The names of all hashtags that an account follows.
    package func followedNames(by account: Int64) async throws -> Set<String> {
        try await database.read { try Self.followedNames(by: account, in: $0) }
    }

    static func followedNames(by account: Int64, in db: Database) throws -> Set<String> {
        let query: SQL = "SELECT tag FROM tag_follow WHERE account_id = \(account)"
        return Set(try db.fetchAll(query, as: String.self))
    }

    private static func isFollowed(_ tag: String, by account: Int64, in db: Database) throws -> Bool {
        let query: SQL = "SELECT 1 FROM tag_follow WHERE account_id = \(account) AND tag = \(tag)"
        return try db.fetchOne(query, as: Int.self) != nil
    }
}
