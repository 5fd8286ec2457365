/// An active mute.
package struct Mute: Sendable, Equatable {
    /// Whether notifications are hidden as well as statuses.
    package var hidesNotifications: Bool
    /// Milliseconds since 1970, UTC; `nil` if the mute does not expire.
    package var expiresAt: Int64?

    package init(hidesNotifications: Bool = true, expiresAt: Int64? = nil) {
        self.hidesNotifications = hidesNotifications
        self.expiresAt = expiresAt
    }
}

/// An account in a list of muted accounts.
package struct MutedAccount: Sendable, Equatable {
    package var account: Account
    package var mute: Mute

    package init(account: Account, mute: Mute) {
        self.account = account
        self.mute = mute
    }
}
