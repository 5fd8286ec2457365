/// The authenticated account of a request, with the scopes of its token. Shared by all requests with the token.
package final class Viewer: Sendable {
    /// The profile is up to date, but the counts may be old: otherwise, whoever posts would have to be read again.
    package let account: Account
    package let scopes: Scopes
    /// The name of the application the token was issued to.
    package let application: String
    package let website: String?

    package init(account: Account, scopes: Scopes, application: String = "", website: String? = nil) {
        self.account = account
        self.scopes = scopes
        self.application = application
        self.website = website
    }
}
