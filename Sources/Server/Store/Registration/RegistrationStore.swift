package import FeedCore

/// Stores sign-ups and invitations in the database.
///
/// The account of a pending sign-up is stored as suspended, with a row in `sign_up`. Everything that hides suspended
/// accounts therefore hides pending ones, too, and no query can forget them.
package struct RegistrationStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Creates the account of a sign-up. The same transaction applies ``RegistrationRule``, claims the name and the
    /// address, and counts the use of the invitation.
    /// - Throws: ``FeedError`` `.conflict` if the name or the address is taken, `.forbidden` if the mode does not allow
    ///   the sign-up, `.unavailable` if too many sign-ups await approval; ``RegistrationRefusal`` for a bad invitation.
    package func register(_ new: NewAccount, _ signUp: SignUp) async throws -> RegisteredAccount {
        try Username.check(new.username)
        let now = database.clock.now()
        return try await database.commits.write { db in
            let decision = try RegistrationRule.decide(
                signUp.mode, try Self.invitee(signUp.invitation, at: now, in: db))
            let id = try AccountStore.claim(new, at: now, in: db)
            if let code = signUp.invitation { try Self.countUse(of: code, in: db) }
            switch decision {
            case .create: try db.log(.accountCreated, subject: id, account: id, at: now)
            // Nobody can observe a pending account, so it is logged when it is approved.
            case .awaitApproval: try Self.hide(id, reason: signUp.reason, at: now, in: db)
            }
            try db.notifyModerators(of: .adminSignUp, by: id, at: now)
            guard let account = try AccountStore.find(db, id: id) else { throw FeedError.notFound }
            return RegisteredAccount(account: account, isPending: decision == .awaitApproval)
        }
    }

    private static func hide(_ id: Int64, reason: String, at now: Int64, in db: Database) throws {
        guard try db.fetchOne("SELECT count(*) FROM sign_up", as: Int.self) ?? 0 < PendingSignUp.limit else {
            throw FeedError(
                .unavailable, "Too many sign-ups await approval", hint: "Try again later.", retryAfter: 3600)
        }
        try db.execute("UPDATE account SET suspended_at = \(now) WHERE id = \(id)")
        try db.execute("INSERT INTO sign_up (account_id, reason) VALUES (\(id), \(reason))")
    }
}

extension RegistrationStore {
    /// Stores a new invitation.
    /// - Parameters:
    ///   - inviter: The account in whose name the operator invites, if any.
    ///   - lifetime: Milliseconds.
    ///   - maximum: The maximum number of valid invitations of the inviter; `nil` for no limit.
    /// - Throws: ``FeedError`` `.invalid` if the inviter has too many.
    package func invite(
        inviter: Account?, uses: Int, lifetime: Int64, maximum: Int? = nil
    ) async throws -> Invitation {
        let now = database.clock.now()
        let invitation = Invitation(
            code: Invitation.newCode(), inviter: inviter, createdAt: now, expiresAt: now + lifetime, maximumUses: uses)
        try await database.commits.write { db in
            if let inviter { try Self.check(inviter, maximum, at: now, in: db) }
            try db.execute(
                """
                INSERT INTO invitation (code, account_id, created_at, expires_at, maximum_uses)
                VALUES (\(invitation.code), \(inviter?.id), \(now), \(invitation.expiresAt), \(uses))
                """)
        }
        return invitation
    }

    private static func check(_ inviter: Account, _ maximum: Int?, at now: Int64, in db: Database) throws {
        try db.requireActiveAccount(inviter.id)
        guard let maximum else { return }
        let query: SQL = """
            SELECT count(*) FROM invitation
            WHERE account_id = \(inviter.id) AND expires_at > \(now) AND uses < maximum_uses
            """
        guard try db.fetchOne(query, as: Int.self) ?? 0 < maximum else {
            throw FeedError.invalid("You cannot have more than \(maximum) invitations at the same time")
        }
    }

    /// The invitations that an account has made, oldest first.
    package func invitations(by account: Int64) async throws -> [Invitation] {
        try await database.read { try Self.invitations(where: "account_id = \(account)", in: $0) }
    }

    package func invitation(code: String) async throws -> Invitation? {
        try await database.read { try Self.invitations(where: "code = \(code)", in: $0).first }
    }

    /// All invitations, oldest first.
    package func invitations() async throws -> [Invitation] {
        try await database.read { try Self.invitations(where: "1 = 1", in: $0) }
    }

    /// - Parameter account: The account that must have made it; `nil` for anyone.
    /// - Returns: Whether the invitation existed.
    package func revoke(code: String, by account: Int64? = nil) async throws -> Bool {
        let condition: SQL = account.map { "AND account_id = \($0)" } ?? ""
        return try await database.commits.write { db in
            try db.execute("DELETE FROM invitation WHERE code = \(code) \(condition)")
            return try db.changesCount > 0
        }
    }

    func removeInvitations(expiredBefore limit: Int64) async throws {
        let isDue = try await database.read {
            try $0.fetchOne("SELECT 1 FROM invitation WHERE expires_at < \(limit) LIMIT 1", as: Int.self) != nil
        }
        guard isDue else { return }
        try await database.commits.write(freesSpace: true) {
            try $0.execute("DELETE FROM invitation WHERE expires_at < \(limit)")
        }
    }

    static func invitee(_ code: String?, at now: Int64, in db: Database) throws -> RegistrationRule.Invitee {
        guard let code else { return .uninvited }
        let invitation = try invitations(where: "code = \(code)", in: db).first
        return invitation?.isUsable(at: now) == true ? .invited : .invalidInvitation
    }

    static func countUse(of code: String, in db: Database) throws {
        try db.execute("UPDATE invitation SET uses = uses + 1 WHERE code = \(code)")
    }

    private static func invitations(where condition: SQL, in db: Database) throws -> [Invitation] {
        let query: SQL = """
            SELECT code, account_id, created_at, expires_at, maximum_uses, uses FROM invitation
            WHERE \(condition) ORDER BY created_at, code
            """
        return try db.fetchAll(query).map { row in
            let inviter: Int64? = try row[1]
            return Invitation(
                code: try row[0], inviter: try inviter.flatMap { try AccountStore.find(db, id: $0) },
                createdAt: try row[2],
                expiresAt: try row[3], maximumUses: try row[4], uses: try row[5])
        }
    }
}

extension RegistrationStore {
    /// The number of rows deleted per transaction.
    private static let batch = 100

    /// Makes the account of a pending sign-up visible and enables its logins.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown, `.forbidden` if it is not pending.
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

    /// Deletes the account of a pending sign-up with its logins; its name is free again.
    /// - Returns: The deleted sign-up.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown, `.forbidden` if it is not pending.
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

    /// The reasons given by the accounts that await approval.
    package func reasons(of accounts: [Int64]) async throws -> [Int64: String] {
        try await database.read { db in
            let rows = try db.fetchAll("SELECT account_id, reason FROM sign_up WHERE account_id IN \(list: accounts)")
            return try Dictionary(rows.map { try ($0[0] as Int64, $0[1] as String) }) { first, _ in first }
        }
    }

    /// Removes sign-ups that have not been answered for ``PendingSignUp/lifetime``, and invitations that expired as long
    /// ago.
    package func removeExpired() async throws {
        let now = database.clock.now()
        let limit = now - PendingSignUp.lifetime
        let old: SQL = """
            SELECT a.id FROM sign_up s JOIN account a ON a.id = s.account_id
            WHERE a.created_at < \(limit) ORDER BY a.id LIMIT \(Self.batch)
            """
        // Writes only if there is something to delete, because an unnecessary transaction would cost an fsync.
        while try await !database.read({ try $0.fetchAll(old, as: Int64.self).isEmpty }) {
            try await database.commits.write(freesSpace: true) { db in
                for id in try db.fetchAll(old, as: Int64.self) { try Self.delete(id, at: now, in: db) }
            }
        }
        try await removeInvitations(expiredBefore: limit)
    }

    /// Whether an account awaits approval.
    static func isPending(_ id: Int64, in db: Database) throws -> Bool {
        let query: SQL = "SELECT 1 FROM sign_up WHERE account_id = \(id)"
        return try db.fetchOne(query, as: Int.self) != nil
    }

    private static func requirePending(_ id: Int64, in db: Database) throws -> PendingSignUp {
        if let signUp = try pending(where: "s.account_id = \(id)", in: db).first { return signUp }
        guard let account = try AccountStore.find(db, id: id) else { throw FeedError.notFound }
        throw FeedError(.forbidden, "\(account.username) does not await approval")
    }

    private static func pending(where condition: SQL, in db: Database) throws -> [PendingSignUp] {
        let query: SQL = """
            SELECT \(sql: AccountRow.columns), s.reason FROM sign_up s CROSS JOIN account a ON a.id = s.account_id
            WHERE \(condition) ORDER BY a.id
            """
        return try db.fetchAll(query).map {
            try PendingSignUp(account: try AccountRow.decode($0), reason: $0[AccountRow.count])
        }
    }

    /// The row in `sign_up` is deleted by its foreign key.
    private static func delete(_ id: Int64, at now: Int64, in db: Database) throws {
        _ = try GrantStore.revokeAll(db, of: id, at: now)
        try db.execute("DELETE FROM account WHERE id = \(id)")
        try db.log(.signUpRejected, subject: id, account: id, at: now)
    }
}
