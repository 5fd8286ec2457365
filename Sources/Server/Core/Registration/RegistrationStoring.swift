/// Stores sign-ups and invitations.
package protocol RegistrationStoring: Sendable {
    /// Creates the account of a sign-up. The same transaction applies ``RegistrationRule``, claims the name and the
    /// address, and counts the use of the invitation.
    /// - Throws: ``FeedError`` `.conflict` if the name or the address is taken, `.forbidden` if the mode does not allow
    ///   the sign-up, `.unavailable` if too many sign-ups await approval; ``RegistrationRefusal`` for a bad invitation.
    func register(_ account: NewAccount, _ signUp: SignUp) async throws -> RegisteredAccount
    func invitation(code: String) async throws -> Invitation?
    /// The reasons given by the accounts that await approval.
    func reasons(of accounts: [Int64]) async throws -> [Int64: String]
    /// Makes the account of a pending sign-up visible and enables its logins.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown, `.forbidden` if it is not pending.
    func approve(_ id: Int64) async throws -> Account
    /// Deletes the account of a pending sign-up with its logins; its name is free again.
    /// - Returns: The deleted sign-up.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown, `.forbidden` if it is not pending.
    func reject(_ id: Int64) async throws -> PendingSignUp
    /// Removes sign-ups that have not been answered for ``PendingSignUp/lifetime``, and invitations that expired as long
    /// ago.
    func removeExpired() async throws
}
