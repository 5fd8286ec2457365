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
