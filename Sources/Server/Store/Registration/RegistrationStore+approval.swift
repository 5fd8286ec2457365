package import FeedCore

extension RegistrationStore {
    /// The number of rows deleted per transaction.
    private static let batch = 100

    package func approve(_ id: Int64) async throws -> Account {
        let now = database.clock.now()
        return try await database.commits.write { db in
            _ = try Self.requirePending(id, in: db)
            try db.execute("DELETE FROM sign_up WHERE account_id = \(id)")
            try db.execute("UPDATE account SET suspended_at = NULL WHERE id = \(id)")
            try db.log(.accountCreated, subject: id, account: id, at: now)
            // Cached values may have left the account out, as those of a suspended one.
            try db.log(.accountUnsuspended, subject: id, account: id, at: now)
            guard let account = try AccountStore.find(db, id: id) else { throw FeedError.notFound }
            return account
        }
    }

    package func reject(_ id: Int64) async throws -> PendingSignUp {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            let signUp = try Self.requirePending(id, in: db)
            try Self.delete(id, at: now, in: db)
            return signUp
        }
    }

    /// All pending sign-ups, oldest first.
    package func pending() async throws -> [PendingSignUp] {
        try await database.read { db in try Self.pending(where: "1 = 1", in: db) }
    }

    package func reasons(of accounts: [Int64]) async throws -> [Int64: String] {
        try await database.read { db in
            let rows = try db.fetchAll("SELECT account_id, reason FROM sign_up WHERE account_id IN \(list: accounts)")
            return Dictionary(rows.map { ($0[0] as Int64, $0[1] as String) }) { first, _ in first }
        }
    }

    package func removeExpired() async throws {
        let now = database.clock.now()
        let limit = now - PendingSignUp.lifetime
        let old: SQL = """
            SELECT a.id FROM sign_up s JOIN account a ON a.id = s.account_id
            WHERE a.created_at < \(limit) ORDER BY a.id LIMIT \(Self.batch)
            """
        // Writes only if there is something to delete, because an unnecessary transaction would cost an fsync.
        while try await !database.read({ try Int64.fetchAll($0, old).isEmpty }) {
            try await database.commits.write(freesSpace: true) { db in
                for id in try Int64.fetchAll(db, old) { try Self.delete(id, at: now, in: db) }
            }
        }
        try await removeInvitations(expiredBefore: limit)
    }

    /// Whether an account awaits approval.
    static func isPending(_ id: Int64, in db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM sign_up WHERE account_id = ?")
        return try Int.fetchOne(statement, arguments: [id]) != nil
    }

    private static func requirePending(_ id: Int64, in db: Database) throws -> PendingSignUp {
        if let signUp = try pending(where: "s.account_id = \(id)", in: db).first { return signUp }
        guard let account = try AccountStore.find(db, id: id) else { throw FeedError.notFound }
        throw FeedError(.forbidden, "This action is not allowed", hint: "\(account.username) does not await approval.")
    }

    private static func pending(where condition: SQL, in db: Database) throws -> [PendingSignUp] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), s.reason FROM sign_up s CROSS JOIN account a ON a.id = s.account_id
            WHERE \(condition) ORDER BY a.id
            """
        return try db.fetchAll(query).map {
            PendingSignUp(account: try AccountRow.decode($0), reason: $0[AccountRow.count])
        }
    }

    /// The row in `sign_up` is deleted by its foreign key.
    private static func delete(_ id: Int64, at now: Int64, in db: Database) throws {
        _ = try GrantStore.revokeAll(db, of: id, at: now)
        try db.execute("DELETE FROM account WHERE id = \(id)")
        try db.log(.signUpRejected, subject: id, account: id, at: now)
    }
}
