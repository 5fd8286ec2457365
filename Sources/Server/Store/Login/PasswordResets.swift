package import FeedCore

/// Sets new passwords for people who have lost theirs, by links that the operator passes on.
package struct PasswordResets: Sendable {
    private let store: PasswordResetStore
    private let passwords: Login
    private let hashing: any PasswordHashing

    package init(store: PasswordResetStore, passwords: Login, hashing: any PasswordHashing) {
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
