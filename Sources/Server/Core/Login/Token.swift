/// An access token as it is listed; the secret itself is never stored.
package struct Token: Sendable, Equatable {
    package var id: Int64
    package var accountID: Int64?
    package var scopes: Scopes
    /// The program it was made for.
    package var application: String
    package var createdAt: Int64

    package init(id: Int64, accountID: Int64?, scopes: Scopes, application: String, createdAt: Int64) {
        self.id = id
        self.accountID = accountID
        self.scopes = scopes
        self.application = application
        self.createdAt = createdAt
    }
}

/// Whom a token stands for.
package enum TokenHolder: Sendable {
    case account(Viewer)
    /// A program that speaks for nobody: it may read what is public.
    case application(Scopes)
}
