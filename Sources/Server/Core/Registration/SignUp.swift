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
