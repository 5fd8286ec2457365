package import FeedCore
import Foundation

/// Stores votes and closes polls in the database. Polls are stored and read with their statuses.
package struct PollStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Adds the votes of an account.
    /// - Parameters:
    ///   - choices: The numbers of the options, from 0.
    ///   - id: The id of the poll, which is that of its status.
    /// - Returns: The status with the poll.
    /// - Throws: ``FeedError`` `.notFound` if there is no such poll or the account may not see its status, `.forbidden` if
    ///   the account blocks the author, `.invalid` if ``PollRule`` refuses the votes.
    package func vote(_ choices: [Int], in id: Int64, by account: Int64) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let status = try StatusStore.find(db, id: id, for: account), status.boost == nil,
                let poll = status.poll
            else { throw FeedError.notFound }
            try db.requireActiveAccount(account)
            let author = status.account.id
            guard try !db.isBlocked(account, author) else { throw FeedError.notAllowed }
            try PollRule.check(choices, in: poll, of: author, by: account, at: now)
            try Self.add(choices, to: poll, by: account, in: db)
            try db.log(.pollVoted, subject: id, account: account, at: now)
            guard let stored = try StatusStore.find(db, id: id, for: account) else { throw FeedError.notFound }
            return stored
        }
    }

    /// Closes the poll that ended first, and notifies its author and its voters.
    /// - Returns: Whether there was one to close.
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
            try db.execute(
                "INSERT INTO poll_vote (status_id, account_id, number) VALUES (\(poll.id), \(account), \(number))")
            try db.execute(
                """
                UPDATE poll_option SET votes_count = votes_count + 1 WHERE status_id = \(poll.id)
                AND number = \(number)
                """)
        }
        guard poll.ownVotes.isEmpty else { return }
        try db.execute("UPDATE poll SET voters_count = voters_count + 1 WHERE status_id = \(poll.id)")
    }

    /// The poll that ended first among those that have not been closed, and its author.
    private static func ended(at now: Int64, in db: Database) throws -> (id: Int64, author: Int64)? {
        let query: SQL = """
            SELECT p.status_id, s.account_id FROM poll p CROSS JOIN status s ON s.id = p.status_id
            WHERE p.expired = 0 AND p.expires_at <= \(now) ORDER BY p.expires_at LIMIT 1
            """
        return try db.fetchOne(query).map { try ($0[0], $0[1]) }
    }

    private static func close(_ id: Int64, of author: Int64, at now: Int64, in db: Database) throws {
        try db.execute("UPDATE poll SET expired = 1 WHERE status_id = \(id)")
        try db.log(.pollClosed, subject: id, account: author, at: now)
        let voters: SQL = """
            SELECT DISTINCT account_id FROM poll_vote WHERE status_id = \(id)
            ORDER BY account_id LIMIT \(sql: PollRule.maximumNotified)
            """
        for recipient in try [author] + db.fetchAll(voters, as: Int64.self) {
            try db.notify(recipient, of: .poll, by: author, status: id, at: now)
        }
    }
}

/// Polls of posted and edited statuses. All functions run in the transaction that stores the status.
extension PollStore {
    /// Stores the poll of a status.
    static func insert(_ draft: PollDraft, of status: Int64, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO poll (status_id, multiple, hides_totals, expires_at)
            VALUES (\(status), \(draft.isMultiple), \(draft.hidesTotals), \(draft.end(from: now)))
            """)
        for (number, title) in draft.options.enumerated() {
            try db.execute(
                "INSERT INTO poll_option (status_id, number, title) VALUES (\(status), \(number), \(title))")
        }
    }

    /// Changes, adds or removes the poll of a status. A poll with another end is open again.
    static func replace(
        _ old: Poll?, by draft: PollDraft?, of status: Int64, at now: Int64, in db: Database
    ) throws {
        if let old, let draft, !PollRule.resetsVotes(of: old, draft) {
            let end = draft.end(from: now)
            try db.execute(
                """
                UPDATE poll SET hides_totals = \(draft.hidesTotals), expires_at = \(end),
                expired = \(old.isExpired && end == old.expiresAt) WHERE status_id = \(status)
                """)
            return
        }
        // Its options and votes go with it.
        if old != nil {
            try db.execute("DELETE FROM poll WHERE status_id = \(status)")
        }
        if let draft { try insert(draft, of: status, at: now, in: db) }
    }

    /// The polls among `ids` that exist, by id.
    /// - Parameter viewer: The account whose votes are included.
    static func find(_ db: Database, ids: [Int64], for viewer: Int64?) throws -> [Int64: Poll] {
        guard !ids.isEmpty else { return [:] }
        let query: SQL = """
            SELECT p.status_id, p.multiple, p.hides_totals, p.expires_at, p.expired, p.voters_count, o.title,
                o.votes_count, \(isChosen(by: viewer)), o.number
            FROM poll p CROSS JOIN poll_option o ON o.status_id = p.status_id
            WHERE p.status_id IN (\(ids: ids)) ORDER BY p.status_id, o.number
            """
        var polls: [Int64: Poll] = [:]
        for row in try db.fetchAll(query) {
            let empty = try poll(row)
            try add(row, to: &polls[empty.id, default: empty])
        }
        return polls
    }

    private static func isChosen(by viewer: Int64?) -> SQL {
        guard let viewer else { return "0" }
        return """
            EXISTS (SELECT 1 FROM poll_vote v
                WHERE v.status_id = p.status_id AND v.account_id = \(viewer) AND v.number = o.number)
            """
    }

    private static func poll(_ row: Row) throws -> Poll {
        try Poll(
            id: row[0], options: [], isMultiple: row[1], hidesTotals: row[2], expiresAt: row[3], isExpired: row[4],
            votersCount: row[5])
    }

    private static func add(_ row: Row, to poll: inout Poll) throws {
        poll.options.append(try Poll.Option(title: row[6], votesCount: Poll.plausible(row[7])))
        if try row[8] { try poll.ownVotes.append(row[9]) }
    }
}

/// The options of the poll of a former version of a status, as they are stored.
enum StoredPollOptions {
    static func pack(_ options: [String]) throws -> String {
        options.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
    }

    static func unpack(_ text: String) -> [String] {
        guard text != "[]" else { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
    }
}
