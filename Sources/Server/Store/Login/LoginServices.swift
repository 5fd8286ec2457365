package import FeedCore

/// The services that authenticate callers and issue credentials.
package struct LoginServices: Sendable {
    package let passwords: Login
    package let tokens: AccessTokens
    package let grants: Grants
    package let registration: Registration
    package let passwordChange: PasswordChange
    package let passwordResets: PasswordResets

    /// - Parameters:
    ///   - throttles: Whether failed logins slow down further attempts.
    ///   - report: Called for each failed login.
    package init(
        stores: Stores, hashing: any PasswordHashing, settings: ReloadableSettings, clock: WallClock,
        throttles: Bool = true, report: @escaping @Sendable (LoginFailure) -> Void = { _ in }
    ) {
        passwords = Login(
            accounts: stores.accounts, failures: stores.loginFailures, hashing: hashing, clock: clock,
            throttles: throttles, settings: settings, report: report)
        tokens = AccessTokens(store: stores.tokens)
        grants = Grants(store: stores.grants, clock: clock)
        registration = Registration(stores: stores, hashing: hashing, settings: settings, clock: clock)
        passwordChange = PasswordChange(accounts: stores.accounts, passwords: passwords, hashing: hashing)
        passwordResets = PasswordResets(store: stores.passwordResets, passwords: passwords, hashing: hashing)
    }
}
