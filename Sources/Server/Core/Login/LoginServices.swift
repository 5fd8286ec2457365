/// The services that authenticate callers and issue credentials.
package struct LoginServices: Sendable {
    package let passwords: Login
    package let tokens: AccessTokens
    package let grants: Grants
    package let registration: Registration

    /// - Parameters:
    ///   - throttles: Whether failed logins slow down further attempts.
    ///   - registration: Whether visitors may create accounts.
    ///   - report: Called for each failed login.
    package init(
        stores: Stores, hashing: any PasswordHashing, limits: Limits, clock: WallClock, throttles: Bool = true,
        registration policy: RegistrationPolicy = RegistrationPolicy(),
        report: @escaping @Sendable (LoginFailure) -> Void = { _ in }
    ) {
        passwords = Login(
            accounts: stores.accounts, failures: stores.loginFailures, hashing: hashing, clock: clock,
            throttles: throttles, report: report)
        tokens = AccessTokens(store: stores.tokens)
        grants = Grants(store: stores.grants, clock: clock)
        registration = Registration(stores: stores, hashing: hashing, limits: limits, clock: clock, policy: policy)
    }
}
