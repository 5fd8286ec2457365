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
            guard db.changesCount > 0 else { return }
            try Self.count(1, follower: follower, followee: followee, in: db)
            try db.log(.followed, subject: follower, account: followee, at: now)
        }
    }

    package func unfollow(_ followee: Int64, by follower: Int64) async throws {
        let now = database.surroundings.now()
        try await database.commits.write { db in
            try db.execute(
                sql: "DELETE FROM follow WHERE follower_id = ? AND followee_id = ?", arguments: [follower, followee])
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
                        SELECT 1 FROM follow WHERE follower_id = ? AND followee_id = ?
                        AND import_id NOT IN (SELECT id FROM staged_import)
                        """)
                return try Int.fetchOne(statement, arguments: [follower, followee]) != nil
            }
            return Relationship(isFollowing: try exists(viewer, account), isFollowed: try exists(account, viewer))
        }
    }

    private static func count(_ step: Int, follower: Int64, followee: Int64, in db: Database) throws {
        try db.execute(
            sql: "UPDATE account SET following_count = following_count + ? WHERE id = ?", arguments: [step, follower])
        try db.execute(
            sql: "UPDATE account SET followers_count = followers_count + ? WHERE id = ?", arguments: [step, followee])
    }
}
