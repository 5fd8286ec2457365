/// The rules for what a moderator may do to other accounts through the API. The operator's commands are not restricted.
package enum ModerationRule {
    /// - Parameters:
    ///   - moderator: The moderator as stored now, who may have lost the role since the request was authenticated.
    ///   - otherAdmins: The number of active administrators, without the target.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func check(
        _ action: ModerationAction, by moderator: Account, on target: Account, otherAdmins: Int
    ) throws(FeedError) {
        guard moderator.role == .admin, moderator.suspendedAt == nil else { throw .notAllowed }
        switch action {
        case .none, .unsilence, .unsuspend: return
        case .silence: try refuseSelf(moderator, target)
        case .suspend:
            try refuseSelf(moderator, target)
            try refuseLastAdmin(target, otherAdmins)
        case .remove:
            try refuseSelf(moderator, target)
            guard target.suspendedAt != nil else {
                throw FeedError(
                    .forbidden, "This action is not allowed", hint: "Only a suspended account can be removed.")
            }
            try refuseLastAdmin(target, otherAdmins)
        }
    }

    /// Whether a moderator may change the role of an account. As nobody can change their own, an administrator remains.
    /// - Throws: ``FeedError`` `.forbidden`.
    package static func checkRole(of target: Account, by moderator: Account) throws(FeedError) {
        guard moderator.role == .admin, moderator.suspendedAt == nil else { throw .notAllowed }
        try refuseSelf(moderator, target)
    }

    private static func refuseSelf(_ moderator: Account, _ target: Account) throws(FeedError) {
        guard moderator.id == target.id else { return }
        throw FeedError(.forbidden, "This action is not allowed", hint: "Moderators cannot act on their own account.")
    }

    private static func refuseLastAdmin(_ target: Account, _ otherAdmins: Int) throws(FeedError) {
        guard target.role == .admin, otherAdmins == 0 else { return }
        throw FeedError(.forbidden, "This action is not allowed", hint: "This is the last administrator.")
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
