/// The authenticated account of a request, with the scopes of its token.
package struct Viewer: Sendable {
    package let account: Account
    package let scopes: Scopes
    /// The name of the application the token was issued to.
    package let application: String

    package init(account: Account, scopes: Scopes, application: String = "") {
        self.account = account
        self.scopes = scopes
        self.application = application
    }
}
