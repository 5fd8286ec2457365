/// The circumstances of a sign-up.
package struct SignUp: Sendable {
    package var mode: RegistrationPolicy.Mode
    /// The code of an invitation.
    package var invitation: String?
    /// The applicant's reason for joining.
    package var reason: String

    package init(mode: RegistrationPolicy.Mode, invitation: String? = nil, reason: String = "") {
        self.mode = mode
        self.invitation = invitation
        self.reason = reason
    }
}

/// The account that a sign-up created.
package struct RegisteredAccount: Sendable {
    package let account: Account
    /// Whether the account is hidden until the operator approves it.
    package let isPending: Bool

    package init(account: Account, isPending: Bool) {
        self.account = account
        self.isPending = isPending
    }
}

/// A sign-up that awaits the operator's approval.
package struct PendingSignUp: Sendable, Equatable {
    /// The maximum number of sign-ups that await approval.
    package static let limit = 500
    /// The time in milliseconds after which a sign-up without an answer is removed, and its name is free again.
    package static let lifetime: Int64 = 30 * 86_400_000

    package let account: Account
    /// The applicant's reason for joining, as entered.
    package let reason: String

    package init(account: Account, reason: String) {
        self.account = account
        self.reason = reason
    }
}

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
