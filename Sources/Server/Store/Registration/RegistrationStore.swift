package import FeedCore

/// Stores sign-ups in the database.
///
/// The account of a pending sign-up is stored as suspended, with a row in `sign_up`. Everything that hides suspended
/// accounts therefore hides pending ones, too, and no query can forget them.
package struct RegistrationStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Creates the account of a sign-up. The same transaction applies ``RegistrationRule``, claims the name and the
    /// address, and counts the use of the invitation.
    /// - Throws: ``FeedError`` `.conflict` if the name or the address is taken, `.forbidden` if the mode does not allow
    ///   the sign-up, `.unavailable` if too many sign-ups await approval; ``RegistrationError`` for a bad invitation.
    package func register(_ new: NewAccount, _ signUp: SignUp) async throws -> RegisteredAccount {
        try Username.check(new.username)
        let now = database.clock.now()
        return try await database.commits.write { db in
            let decision = try RegistrationRule.decide(
                signUp.mode, try InvitationStore.invitee(signUp.invitation, at: now, in: db))
            let id = try AccountStore.claim(new, at: now, in: db)
            if let code = signUp.invitation { try InvitationStore.countUse(of: code, in: db) }
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
        try await InvitationStore(database).remove(expiredBefore: limit)
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

/// Validates sign-ups and creates their accounts.
package struct Registration: Sendable {
    private let accounts: AccountStore
    private let store: RegistrationStore
    private let invitations: InvitationStore
    private let hashing: any PasswordHasher
    private let settings: ReloadableSettings
    private let clock: WallClock

    package init(
        stores: Stores, hashing: any PasswordHasher, settings: ReloadableSettings, clock: WallClock
    ) {
        accounts = stores.accounts
        store = stores.registrations
        invitations = stores.invitations
        self.hashing = hashing
        self.settings = settings
        self.clock = clock
    }

    package var mode: RegistrationPolicy.Mode { settings.registration.mode }

    /// Validates a sign-up form and creates the account.
    /// - Throws: ``RegistrationError`` if fields are invalid; ``FeedError`` `.forbidden` if the policy does not allow
    ///   the sign-up, `.unavailable` if too many await approval.
    package func register(_ form: RegistrationForm) async throws -> RegisteredAccount {
        let policy = settings.registration
        // All other checks run first, because hashing is slow.
        let errors = try await errors(of: form, policy)
        guard errors.isEmpty else { throw RegistrationError(errors: errors) }
        var new = NewAccount(username: form.username)
        new.email = form.email
        new.password = try await hashing.hash(form.password)
        do {
            return try await store.register(
                new, SignUp(mode: policy.mode, invitation: form.invitation?.lowercased(), reason: form.reason))
        } catch let error as FeedError where error.kind == .conflict {
            // Another registration has taken the name or the address in the meantime.
            let errors = try await taken(by: form)
            throw errors.isEmpty ? error : RegistrationError(errors: errors)
        }
    }

    /// The errors that can be detected without looking up existing accounts and invitations.
    package func formErrors(
        of form: RegistrationForm
    ) -> [(field: RegistrationError.Field, error: RegistrationError.FieldError)] {
        form.errors(blockedNames: settings.registration.blockedNames, limits: settings.limits)
    }

    /// The invitation with a code, if it can be used now.
    package func usableInvitation(_ code: String) async throws -> Invitation? {
        let code = code.lowercased()
        guard Invitation.isCode(code), let invitation = try await invitations.invitation(code: code) else { return nil }
        return invitation.isUsable(at: clock.now()) ? invitation : nil
    }

    private typealias FieldErrors = [(field: RegistrationError.Field, error: RegistrationError.FieldError)]

    private func errors(of form: RegistrationForm, _ policy: RegistrationPolicy) async throws -> FieldErrors {
        var errors = form.errors(blockedNames: policy.blockedNames, limits: settings.limits)
        do {
            _ = try RegistrationRule.decide(policy.mode, try await invitee(form.invitation))
        } catch let refusal as RegistrationError {
            errors += refusal.errors
        }
        return errors + (try await taken(by: form))
    }

    private func invitee(_ code: String?) async throws -> RegistrationRule.Invitee {
        guard let code else { return .uninvited }
        return try await usableInvitation(code) == nil ? .invalidInvitation : .invited
    }

    private func taken(by form: RegistrationForm) async throws -> FieldErrors {
        var errors: FieldErrors = []
        if try await accounts.account(named: form.username) != nil { errors.append((.username, .taken)) }
        if try await accounts.hasAccount(email: form.email) { errors.append((.email, .taken)) }
        return errors
    }
}
