/// The rule that decides whether a sign-up creates an account.
package enum RegistrationRule {
    /// The invitation that a sign-up presents.
    package enum Invitee: Sendable, CaseIterable {
        case uninvited, invited
        /// The invitation is unknown, expired or used up.
        case invalidInvitation
    }

    package enum Decision: Sendable, Equatable {
        case create
        /// The account is created, but hidden until the operator approves it.
        case awaitApproval
    }

    /// An invitation replaces the operator's approval. An invalid invitation is refused even where sign-up is open,
    /// because its holder relies on it.
    /// - Throws: ``FeedError`` `.forbidden` where registration is closed or requires an invitation,
    ///   ``RegistrationRefusal`` for an invalid invitation.
    package static func decide(_ mode: RegistrationPolicy.Mode, _ invitee: Invitee) throws -> Decision {
        switch (mode, invitee) {
        case (.closed, _): throw closed
        case (_, .invalidInvitation): throw RegistrationRefusal(errors: [(.invitation, .invalid)])
        case (_, .invited), (.open, .uninvited): return .create
        case (.approval, .uninvited): return .awaitApproval
        case (.invite, .uninvited): throw requiresInvitation
        }
    }

    package static let closed = FeedError(
        .forbidden, "This action is not allowed", hint: "Only the operator of this server can create accounts.")
    package static let requiresInvitation = FeedError(
        .forbidden, "This action is not allowed", hint: "Signing up on this server requires an invitation.")
}

/// The operator's rules for sign-ups.
package struct RegistrationPolicy: Sendable, Equatable {
    /// The mode of registration. The raw values are the values of `--registration`.
    package enum Mode: String, Sendable, CaseIterable {
        /// Nobody; only the operator creates accounts.
        case closed
        /// Everyone.
        case open
        /// Everyone; the operator approves accounts without an invitation.
        case approval
        /// Holders of an invitation.
        case invite

        /// Whether visitors without an invitation may sign up.
        package var isForEveryone: Bool { self == .open || self == .approval }
    }

    package var mode: Mode
    /// Usernames that visitors cannot choose, in addition to the names in ``ReservedName``.
    package var blockedNames: Set<String>

    package init(mode: Mode = .closed, blockedNames: Set<String> = []) {
        self.mode = mode
        self.blockedNames = blockedNames
    }
}

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
