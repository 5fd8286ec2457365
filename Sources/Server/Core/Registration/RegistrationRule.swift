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
    ///   ``RegistrationError`` for an invalid invitation.
    package static func decide(_ mode: RegistrationPolicy.Mode, _ invitee: Invitee) throws -> Decision {
        switch (mode, invitee) {
        case (.closed, _): throw closed
        case (_, .invalidInvitation): throw RegistrationError(errors: [(.invitation, .invalid)])
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
    /// Usernames that visitors cannot choose, in addition to the names in ``ReservedUsername``.
    package var blockedNames: Set<String>

    package init(mode: Mode = .closed, blockedNames: Set<String> = []) {
        self.mode = mode
        self.blockedNames = blockedNames
    }
}

/// The sign-up form.
package struct RegistrationForm: Sendable {
    package var username: String
    /// May be empty if ``requiresEmail`` is `false`.
    package var email: String
    package var password: String
    /// Whether the applicant accepts the server rules.
    package var agrees: Bool
    /// The applicant's reason for joining; shown to the operator, who approves the account.
    package var reason: String
    /// The code of an invitation.
    package var invitation: String?
    package var requiresEmail: Bool

    package init(
        username: String, email: String, password: String, agrees: Bool, reason: String = "", invitation: String? = nil,
        requiresEmail: Bool = true
    ) {
        self.username = username
        self.email = email
        self.password = password
        self.agrees = agrees
        self.reason = reason
        self.invitation = invitation
        self.requiresEmail = requiresEmail
    }
}

extension RegistrationForm {
    private static let usernameBytes = 30
    package static let passwordCharacters = 8
    private static let emailBytes = 254
    /// The maximum length of ``reason`` in characters.
    static let reasonCharacters = 1000

    /// The errors that can be detected without looking up existing accounts and invitations.
    /// - Parameter blockedNames: The usernames that the operator has blocked.
    package func errors(
        blockedNames: Set<String>, limits: Limits
    ) -> [(field: RegistrationError.Field, error: RegistrationError.FieldError)] {
        let checks: [(RegistrationError.Field, RegistrationError.FieldError?)] = [
            (.username, usernameError(blockedNames)), (.email, emailError),
            (.password, Self.passwordError(password, limits)),
            (.agreement, agrees ? nil : .notAccepted), (.reason, reasonError),
        ]
        return checks.compactMap { field, error in error.map { (field, $0) } }
    }

    private func usernameError(_ blocked: Set<String>) -> RegistrationError.FieldError? {
        if username.isEmpty { return .blank }
        if username.utf8.count > Self.usernameBytes { return .tooLong }
        guard (try? Username.check(username)) != nil else { return .invalid }
        return ReservedUsername.contains(username, blocked: blocked) ? .reserved : nil
    }

    private var emailError: RegistrationError.FieldError? {
        if email.isEmpty { return requiresEmail ? .blank : nil }
        return Self.isEmailAddress(email) ? nil : .invalid
    }

    /// Whether a text looks like an email address. Only a message to it could show that it is one.
    package static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain && text.utf8.count <= emailBytes
    }

    /// The reason why a password cannot be chosen.
    package static func passwordError(_ password: String, _ limits: Limits) -> RegistrationError.FieldError? {
        if password.isEmpty { return .blank }
        if password.count < passwordCharacters { return .tooShort }
        return password.utf8.count > limits.passwordBytes ? .tooLong : nil
    }

    /// A single character can have any number of bytes.
    private var reasonError: RegistrationError.FieldError? {
        reason.count > Self.reasonCharacters || reason.utf8.count > Self.reasonCharacters * 4 ? .tooLong : nil
    }
}

/// The error of a sign-up form with invalid fields.
package struct RegistrationError: Error, Sendable, Equatable {
    /// The reason why a field is invalid. The raw values are the Mastodon API's codes.
    package enum FieldError: String, Sendable {
        case blank = "ERR_BLANK"
        case invalid = "ERR_INVALID"
        case taken = "ERR_TAKEN"
        case reserved = "ERR_RESERVED"
        case tooShort = "ERR_TOO_SHORT"
        case tooLong = "ERR_TOO_LONG"
        case notAccepted = "ERR_ACCEPTED"
    }

    package enum Field: String, Sendable, CaseIterable {
        case username, email, password, agreement, reason
        case invitation = "invite_code"
    }

    package let errors: [(field: Field, error: FieldError)]

    package init(errors: [(field: Field, error: FieldError)]) { self.errors = errors }

    package static func == (left: Self, right: Self) -> Bool { left.errors.elementsEqual(right.errors, by: ==) }
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
