package import FeedCore

/// Stores votes and closes polls in the database.
package struct PollStore: PollStoring {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func vote(_ choices: [Int], in id: Int64, by account: Int64) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let status = try StatusStore.find(db, id: id, for: account), status.boost == nil,
                let poll = status.poll
            else { throw FeedError.notFound }
            try db.actor(account)
            let author = status.account.id
            guard try !db.isBlocked(account, author) else { throw FeedError.notAllowed }
            try PollRule.check(choices, in: poll, of: author, by: account, at: now)
            try Self.add(choices, to: poll, by: account, in: db)
            try db.log(.pollVoted, subject: id, account: account, at: now)
            guard let stored = try StatusStore.find(db, id: id, for: account) else { throw FeedError.notFound }
            return stored
        }
    }

    package func closeNext() async throws -> Bool {
        let now = database.clock.now()
        // Usually no poll has ended, and a transaction would cost an fsync.
        guard try await database.read({ try Self.ended(at: now, in: $0) != nil }) else { return false }
        return try await database.commits.write { db in
            guard let (id, author) = try Self.ended(at: now, in: db) else { return false }
            try Self.close(id, of: author, at: now, in: db)
            return true
        }
    }
}

extension PollStore {
    private static func add(_ choices: [Int], to poll: Poll, by account: Int64, in db: Database) throws {
        for number in choices {
            try db.cachedStatement(sql: "INSERT INTO poll_vote (status_id, account_id, number) VALUES (?, ?, ?)")
                .execute(arguments: [poll.id, account, number])
            try db.cachedStatement(
                sql: "UPDATE poll_option SET votes_count = votes_count + 1 WHERE status_id = ? AND number = ?"
            ).execute(arguments: [poll.id, number])
        }
        guard poll.ownVotes.isEmpty else { return }
        try db.cachedStatement(sql: "UPDATE poll SET voters_count = voters_count + 1 WHERE status_id = ?")
            .execute(arguments: [poll.id])
    }

    /// The poll that ended first among those that have not been closed, and its author.
    private static func ended(at now: Int64, in db: Database) throws -> (id: Int64, author: Int64)? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT p.status_id, s.account_id FROM poll p CROSS JOIN status s ON s.id = p.status_id
                WHERE p.expired = 0 AND p.expires_at <= ? ORDER BY p.expires_at LIMIT 1
                """)
        return try Row.fetchOne(statement, arguments: [now]).map { ($0[0], $0[1]) }
    }

    private static func close(_ id: Int64, of author: Int64, at now: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE poll SET expired = 1 WHERE status_id = ?").execute(arguments: [id])
        try db.log(.pollClosed, subject: id, account: author, at: now)
        let voters = try db.cachedStatement(
            sql: """
                SELECT DISTINCT account_id FROM poll_vote WHERE status_id = ?
                ORDER BY account_id LIMIT \(PollRule.maximumNotified)
                """)
        for recipient in try [author] + Int64.fetchAll(voters, arguments: [id]) {
            try db.notify(recipient, of: .poll, by: author, status: id, at: now)
        }
    }
}
