/// The rules for what a moderator may do to other accounts through the API and on the pages. As nobody can restrict
/// their own account, an administrator remains. Of the operator's commands, and of what members do to their own account,
/// only ``requireOtherAdmin(than:otherAdmins:)`` refuses any.
package enum ModerationRule {
    /// - Parameter moderator: The moderator as stored now, who may have lost the role since the request was authenticated.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func check(
        _ action: ModerationAction, by moderator: Account, on target: Account
    ) throws(FeedError) {
        guard moderator.role == .admin, moderator.suspendedAt == nil else { throw .notAllowed }
        switch action {
        case .none, .unsilence, .unsuspend: return
        case .silence, .suspend: try refuseSelf(moderator, target)
        case .remove:
            try refuseSelf(moderator, target)
            guard target.suspendedAt != nil else {
                throw FeedError(.forbidden, "Only a suspended account can be removed")
            }
        }
    }

    /// Whether a moderator may change the role of an account.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func checkRole(of target: Account, by moderator: Account) throws(FeedError) {
        guard moderator.role == .admin, moderator.suspendedAt == nil else { throw .notAllowed }
        try refuseSelf(moderator, target)
    }

    private static func refuseSelf(_ moderator: Account, _ target: Account) throws(FeedError) {
        guard moderator.id == target.id else { return }
        throw FeedError(.forbidden, "Moderators cannot act on their own account")
    }

    /// Keeps the only administrator from being suspended or removed, or made a member: nobody could use `/admin` any more.
    /// - Parameter otherAdmins: The number of active administrators, without the account.
    /// - Throws: ``FeedError`` `.conflict`.
    package static func requireOtherAdmin(than account: Account, otherAdmins: Int) throws(FeedError) {
        guard account.role == .admin, account.suspendedAt == nil, otherAdmins == 0 else { return }
        throw FeedError(
            .conflict, "\(account.username) is the only administrator",
            hint: "Make another account an administrator first.")
    }
}

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

/// Selects accounts for moderators; `nil` selects all.
package struct AccountSelection: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Not suspended.
        case active
        case silenced, suspended
        /// Awaiting approval.
        case pending
        /// A state that no account of this server can have.
        case disabled
    }

    package var state: State?
    /// The beginning of the username.
    package var username: String?
    /// A part of the display name.
    package var displayName: String?
    /// The beginning of the email address.
    package var email: String?
    package var role: Account.Role?
    /// Whether the selection requires something that no account of this server has, such as another domain.
    package var isEmpty = false

    package init() {}
}
