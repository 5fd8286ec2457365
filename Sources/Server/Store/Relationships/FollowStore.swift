package import FeedCore

/// Stores follows and follow requests in the database.
package struct FollowStore: FollowStoring {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func follow(_ followee: Int64, by follower: Int64, _ update: FollowUpdate = FollowUpdate()) async throws {
        try await change(follower, followee) { pair, now, db in try pair.follow(update, at: now, in: db) }
    }

    package func unfollow(_ followee: Int64, by follower: Int64) async throws {
        try await change(follower, followee) { pair, now, db in
            try pair.end(at: now, in: db)
            try pair.dropRequest(logging: .unfollowed, at: now, in: db)
        }
    }

    package func removeFollower(_ follower: Int64, from followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in try pair.end(at: now, in: db) }
    }

    package func accept(_ follower: Int64, by followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in try pair.accept(at: now, in: db) }
    }

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
