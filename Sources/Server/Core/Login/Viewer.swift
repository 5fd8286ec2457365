/// Who is asking, and what they may do.
package struct Viewer: Sendable {
    package let account: Account
    package let scopes: Scopes
    package let application: String

    package init(account: Account, scopes: Scopes, application: String = "") {
        self.account = account
        self.scopes = scopes
        self.application = application
    }
}
