package import FeedCore
import GRDB

/// Who follows whom, in SQLite.
package struct FollowStore: FollowStoring {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func follow(_ followee: Int64, by follower: Int64) async throws {
        let now = database.surroundings.now()
        try await database.commits.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO follow (follower_id, followee_id, created_at) VALUES (?, ?, ?)",
                arguments: [follower, followee, now])
            guard db.changesCount > 0 else { return try Self.refuseStaged(follower, followee, in: db) }
            try Self.count(1, follower: follower, followee: followee, in: db)
            try db.log(.followed, subject: follower, account: followee, at: now)
        }
    }

    package func unfollow(_ followee: Int64, by follower: Int64) async throws {
        let now = database.surroundings.now()
        try await database.commits.write { db in
            try db.execute(
                sql: "DELETE FROM follow WHERE follower_id = ? AND followee_id = ? AND \(Self.published)",
                arguments: [follower, followee])
            guard db.changesCount > 0 else { return }
            try Self.count(-1, follower: follower, followee: followee, in: db)
            try db.log(.unfollowed, subject: follower, account: followee, at: now)
        }
    }

    package func relationship(of viewer: Int64, to account: Int64) async throws -> Relationship {
        try await database.read { db in
            func exists(_ follower: Int64, _ followee: Int64) throws -> Bool {
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT 1 FROM follow WHERE follower_id = ? AND followee_id = ? AND \(Self.published)
                        """)
                return try Int.fetchOne(statement, arguments: [follower, followee]) != nil
            }
            return Relationship(isFollowing: try exists(viewer, account), isFollowed: try exists(account, viewer))
        }
    }

    private static let published = "import_id NOT IN (SELECT id FROM staged_import)"

    /// A follow that only an unfinished import knows may yet be taken back, so it must not be acknowledged.
    private static func refuseStaged(_ follower: Int64, _ followee: Int64, in db: Database) throws {
        let sql = "SELECT 1 FROM follow WHERE follower_id = ? AND followee_id = ? AND \(published)"
        guard try Int.fetchOne(db, sql: sql, arguments: [follower, followee]) == nil else { return }
        throw FeedError(.unavailable, "An import is under way", hint: "Try again in a moment.", retryAfter: 5)
    }

    private static func count(_ step: Int, follower: Int64, followee: Int64, in db: Database) throws {
        try db.execute(
            sql: "UPDATE account SET following_count = following_count + ? WHERE id = ?", arguments: [step, follower])
        try db.execute(
            sql: "UPDATE account SET followers_count = followers_count + ? WHERE id = ?", arguments: [step, followee])
    }
}
