/// A mute in force.
package struct Mute: Sendable, Equatable {
    /// Whether notifications are hidden as well as statuses.
    package var hidesNotifications: Bool
    /// Milliseconds since 1970; `nil` for ever.
    package var expiresAt: Int64?

    package init(hidesNotifications: Bool = true, expiresAt: Int64? = nil) {
        self.hidesNotifications = hidesNotifications
        self.expiresAt = expiresAt
    }
}

/// An account in a list of mutes.
package struct MutedAccount: Sendable, Equatable {
    package var account: Account
    package var mute: Mute

    package init(account: Account, mute: Mute) {
        self.account = account
        self.mute = mute
    }
}
