/// An action of a moderator on an account.
package enum ModerationAction: Sendable, CaseIterable {
    /// Changes nothing, but resolves the report it belongs to.
    case none
    /// Hides the account's statuses and notifications from everyone who does not follow it, or ends this.
    case silence, unsilence
    /// Hides the account and disables its logins, or restores both.
    case suspend, unsuspend
    /// Deletes everything that belongs to the account. Its name stays reserved.
    case remove
}

/// The result of an action.
package struct ModerationOutcome: Sendable {
    /// The account after the action.
    package let account: Account
    /// Whether the action changed the account.
    package let hasChanged: Bool

    package init(account: Account, hasChanged: Bool) {
        self.account = account
        self.hasChanged = hasChanged
    }
}
