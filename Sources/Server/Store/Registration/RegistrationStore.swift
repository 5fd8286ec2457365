package import FeedCore

/// Stores sign-ups and invitations in the database.
///
/// The account of a pending sign-up is stored as suspended, with a row in `sign_up`. Everything that hides suspended
/// accounts therefore hides pending ones, too, and no query can forget them.
package struct RegistrationStore: RegistrationStoring {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func register(_ new: NewAccount, _ signUp: SignUp) async throws -> RegisteredAccount {
        try Username.check(new.username)
        let now = database.clock.now()
        return try await database.commits.write { db in
            let decision = try RegistrationRule.decide(
                signUp.mode, try Self.invitee(signUp.invitation, at: now, in: db))
            let id = try AccountStore.claim(new, claimsEmail: true, at: now, in: db)
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
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sign_up") ?? 0 < PendingSignUp.limit else {
            throw FeedError(
                .unavailable, "Too many sign-ups await approval", hint: "Try again later.", retryAfter: 3600)
        }
        try db.execute("UPDATE account SET suspended_at = \(now) WHERE id = \(id)")
        try db.execute("INSERT INTO sign_up (account_id, reason) VALUES (\(id), \(reason))")
    }
}
