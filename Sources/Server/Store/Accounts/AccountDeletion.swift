import FeedCore

/// Deletes an account with everything that belongs to it, and keeps its name from being used again.
///
/// The first transaction hides the account for good. Short ones then delete its data; each leaves everything that others
/// can see correct, so the deletion can stop anywhere and be continued by any process.
package struct AccountDeletion: Sendable {
    /// The result of one transaction.
    package enum Progress: Sendable, Equatable {
        /// The number of deleted rows of the account, without dependent rows of other accounts.
        case deleted(Int)
        /// The rest can only be deleted after the running import, which may add to it.
        case waitsForImport
        case finished
    }

    /// The number of deleted rows after which there is a pause.
    private static let rowsPerPause = 2000

    private let database: FeedDatabase
    private let pause: Duration

    /// - Parameter pause: The time that servers get to read the change log, after some thousand deleted rows and before
    ///   follows are deleted. Servers decide from the follows whom to notify of the deleted statuses, when they read the
    ///   change log; one that is slower than that notifies fewer followers.
    package init(_ database: FeedDatabase, pause: Duration = .zero) {
        self.database = database
        self.pause = pause
    }

    /// Whether the deletion of an account has begun and is not complete.
    package func isPending(_ account: Int64) async throws -> Bool {
        try await database.read { try Self.isPending(account, in: $0) }
    }

    /// The accounts whose deletion is not complete, at most 100.
    package func pending() async throws -> [Int64] {
        try await database.read {
            try $0.fetchAll("SELECT account_id FROM account_removal ORDER BY started_at LIMIT 100", as: Int64.self)
        }
    }

    /// The number of rows that remain to be deleted.
    package func remaining(_ account: Int64) async throws -> Int {
        try await database.read { db in
            try AccountDeletionStep.all.reduce(0) { try $0 + $1.count(account, in: db) }
        }
    }

    /// Deletes everything that is left of an account whose deletion has begun.
    /// - Parameter progress: Called with the number of rows deleted so far.
    /// - Returns: Whether the deletion is complete; otherwise, it waits for the end of a running import.
    package func complete(_ account: Int64, progress: @Sendable (Int) -> Void = { _ in }) async throws -> Bool {
        var (deleted, sincePause) = (0, 0)
        while let count = try await run(AccountDeletionStep.content, of: account) {
            try Task.checkCancellation()
            deleted += count
            progress(deleted)
            sincePause += count
            guard sincePause >= Self.rowsPerPause else { continue }
            sincePause = 0
            try await pauseForServers(account)
        }
        // Another process may have deleted the last statuses a moment ago.
        try await pauseForServers(account)
        while true {
            try Task.checkCancellation()
            switch try await step(account) {
            case .deleted(let count):
                deleted += count
                progress(deleted)
            case .waitsForImport: return false
            case .finished: return true
            }
        }
    }

    /// Without followers, there is nobody whom servers could fail to notify.
    private func pauseForServers(_ account: Int64) async throws {
        if pause > .zero, try await hasFollowers(account) { try await Task.sleep(for: pause) }
    }

    private func hasFollowers(_ account: Int64) async throws -> Bool {
        try await database.read { db in
            try db.fetchOne("SELECT 1 FROM follow WHERE followee_id = \(account) LIMIT 1", as: Int.self) != nil
        }
    }

    /// Runs one transaction.
    package func step(_ account: Int64) async throws -> Progress {
        let progress = try await delete(account)
        guard progress == .waitsForImport, let lock = try? database.engine.lockImports() else { return progress }
        defer { lock.release() }
        // No import is running: the rows are left over from one that was interrupted.
        try await ImportSession.sweep(database)
        return try await delete(account)
    }

    private func delete(_ account: Int64) async throws -> Progress {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            guard try Self.isPending(account, in: db) else { return .finished }
            if let count = try Self.run(AccountDeletionStep.all, of: account, at: now, in: db) {
                return .deleted(count)
            }
            guard try db.fetchOne("SELECT id FROM staged_import LIMIT 1", as: Int64.self) == nil else {
                return .waitsForImport
            }
            try Self.finish(account, at: now, in: db)
            return .finished
        }
    }

    /// Runs one transaction of some steps.
    /// - Returns: The number of deleted rows; `nil` if the steps have nothing left to do.
    private func run(_ steps: [AccountDeletionStep], of account: Int64) async throws -> Int? {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            guard try Self.isPending(account, in: db) else { return nil }
            return try Self.run(steps, of: account, at: now, in: db)
        }
    }

    private static func run(_ steps: [AccountDeletionStep], of account: Int64, at now: Int64, in db: Database) throws
        -> Int?
    {
        for step in steps {
            if let count = try step.run(account, at: now, in: db) { return count }
        }
        return nil
    }
}

extension AccountDeletion {
    /// Hides an account and empties its profile.
    /// - Returns: Whether this began the deletion.
    static func begin(_ account: Account, at now: Int64, in db: Database) throws -> Bool {
        for picture in account.pictures {
            try FileStore.recordReplaced(Blob(hash: picture, size: 0), of: account.id, in: db)
        }
        // Earlier than the deletion only if the account was suspended before it, see ``wasSuspended(_:in:)``.
        let suspended = account.suspendedAt.map { min($0, now - 1) } ?? now
        try db.execute(
            """
            UPDATE account SET removed_at = \(now), suspended_at = \(suspended), password = NULL,
            email = '', display_name = '', city = '', note = '', note_html = '', fields = '[]', avatar = NULL,
            header = NULL, avatar_static = NULL, header_static = NULL, time_zone = NULL, theme = NULL,
            page_language = NULL, role = 'member' WHERE id = \(account.id)
            """)
        try db.execute("DELETE FROM account_name WHERE account_id = \(account.id)")
        try db.execute("INSERT INTO account_removal (account_id, started_at) VALUES (\(account.id), \(now))")
        try db.log(.accountRemoved, subject: account.id, account: account.id, at: now)
        return true
    }

    /// Whether an account was suspended when its deletion began, so that nobody could see its statuses.
    static func wasSuspended(_ account: Int64, in db: Database) throws -> Bool {
        guard let stored = try AccountStore.find(db, id: account), let suspended = stored.suspendedAt,
            let removed = stored.removedAt
        else { return false }
        return suspended < removed
    }

    private static func isPending(_ account: Int64, in db: Database) throws -> Bool {
        let query: SQL = "SELECT 1 FROM account_removal WHERE account_id = \(account)"
        return try db.fetchOne(query, as: Int.self) != nil
    }

    private static func finish(_ account: Int64, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            UPDATE account SET statuses_count = 0, followers_count = 0, following_count = 0, last_status_at = NULL
            WHERE id = \(account)
            """)
        try db.execute("DELETE FROM account_removal WHERE account_id = \(account)")
        // Nothing cached may be older than the end of the deletion.
        try db.log(.accountRemoved, subject: account, account: account, at: now)
    }
}
