package import FeedCore
import Foundation

/// Stores the links that set new passwords in the database, one per account.
package struct PasswordResetStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Makes a link, which replaces an earlier one of the account. The account's password and logins stay as they are
    /// until the link is used.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown or has been removed, `.conflict` if it is suspended
    ///   or awaits approval.
    package func create(for id: Int64) async throws -> PasswordReset {
        let now = database.clock.now()
        let (code, end) = (Secret.randomText(), now + PasswordReset.lifetime)
        return try await database.commits.write { db in
            let account = try Self.requireUsable(id, in: db)
            try db.execute("DELETE FROM password_reset WHERE account_id = \(id) OR expires_at <= \(now)")
            try db.execute(
                """
                INSERT INTO password_reset (hash, account_id, expires_at)
                VALUES (\(Data(Secret.hash(code))), \(id), \(end))
                """)
            return PasswordReset(code: code, account: account, expiresAt: end)
        }
    }

    /// The account whose password a link sets; `nil` if the link cannot be used.
    package func account(code: String) async throws -> Account? {
        let now = database.clock.now()
        return try await database.read { try Self.account(code, at: now, in: $0) }
    }

    /// Sets the password, ends all logins of the account, and makes the link unusable, in one transaction.
    /// - Parameter password: The hash of the new password.
    /// - Throws: ``PasswordReset/invalid`` if the link cannot be used.
    package func use(code: String, password: String) async throws -> Account {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let account = try Self.account(code, at: now, in: db) else { throw PasswordReset.invalid }
            try db.setPassword(password, of: account.id, at: now)
            return account
        }
    }

    private static func account(_ code: String, at now: Int64, in db: Database) throws -> Account? {
        let query: SQL = """
            SELECT account_id FROM password_reset
            WHERE hash = \(Data(Secret.hash(code))) AND expires_at > \(now)
            """
        guard let id = try db.fetchOne(query, as: Int64.self) else { return nil }
        return try AccountStore.find(db, id: id).flatMap { $0.suspendedAt == nil ? $0 : nil }
    }

    private static func requireUsable(_ id: Int64, in db: Database) throws -> Account {
        guard let account = try AccountStore.find(db, id: id), account.removedAt == nil else {
            throw FeedError.notFound
        }
        guard account.suspendedAt == nil else {
            throw FeedError(
                .conflict, "\(account.username) cannot log in",
                hint: "Restore the account, or approve the sign-up, first.")
        }
        return account
    }
}

/// Sets new passwords for people who have lost theirs, by links that the operator passes on.
package struct PasswordResetting: Sendable {
    private let store: PasswordResetStore
    private let passwords: Login
    private let hashing: any PasswordHasher

    package init(store: PasswordResetStore, passwords: Login, hashing: any PasswordHasher) {
        self.store = store
        self.passwords = passwords
        self.hashing = hashing
    }

    /// Makes a link, which replaces an earlier one of the account.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown, `.conflict` if it cannot log in.
    package func create(for account: Int64) async throws -> PasswordReset { try await store.create(for: account) }

    /// The account whose password a link sets.
    /// - Throws: ``PasswordReset/invalid`` if the link cannot be used.
    package func account(code: String) async throws -> Account {
        guard let account = try await store.account(code: code) else { throw PasswordReset.invalid }
        return account
    }

    /// Sets the password and ends all logins of the account. The link cannot be used again.
    /// - Throws: ``PasswordReset/invalid`` if the link cannot be used.
    package func setPassword(_ password: String, code: String) async throws -> Account {
        // First, because hashing is slow.
        _ = try await account(code: code)
        let account = try await store.use(code: code, password: try await hashing.hash(password))
        await passwords.invalidate(account.id)
        return account
    }
}
