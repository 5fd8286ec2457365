/// A timeline.
public enum TimelineName: Hashable, Sendable {
    /// Statuses of this account and of the accounts that it follows.
    case home
    /// Public statuses of all accounts.
    case `public`
    /// Statuses of an account, by user name without `@`.
    case account(String)
    /// Statuses of the members of a list of this account, by its title or id.
    case list(String)
}
