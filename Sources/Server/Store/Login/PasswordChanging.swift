package import FeedCore

/// Changes the password of an account for its owner, who has to know the old one.
package struct PasswordChanging: Sendable {
    private let accounts: AccountStore
    private let passwords: Login
    private let hashing: any PasswordHasher

    package init(accounts: AccountStore, passwords: Login, hashing: any PasswordHasher) {
        self.accounts = accounts
        self.passwords = passwords
        self.hashing = hashing
    }

    /// Changes the password and ends all logins but one.
    /// - Parameters:
    ///   - address: The client's IP address. Wrong passwords count as failed logins.
    ///   - token: The token that remains valid.
    /// - Throws: ``FeedError`` `.unauthorized` for a wrong password, `.rateLimited` after too many of them.
    package func change(
        of account: Account, from old: String, to new: String, address: String, keeping token: String
    ) async throws {
        let proof = try await passwords.authenticate(username: account.username, password: old, address: address).hash
        let hash = try await hashing.hash(new)
        try await accounts.setPassword(hash, of: account.id, proof: proof, keeping: Secret.hash(token))
        await passwords.invalidate(account.id)
    }
}
