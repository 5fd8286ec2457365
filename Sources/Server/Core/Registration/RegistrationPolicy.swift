/// The operator's rules for sign-ups.
package struct RegistrationPolicy: Sendable, Equatable {
    /// Who may sign up. The raw values are the values of `--registration`.
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
    /// Usernames that visitors cannot choose, in addition to the names in ``RestrictedName``.
    package var blockedNames: Set<String>

    package init(mode: Mode = .closed, blockedNames: Set<String> = []) {
        self.mode = mode
        self.blockedNames = blockedNames
    }
}
