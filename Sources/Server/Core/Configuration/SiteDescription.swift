/// What the operator says about the server.
package struct SiteDescription: Sendable, Equatable {
    package var title = "feedserver"
    /// Plain text.
    package var text = "A feed served by feedserver."
    /// The username of the account to contact.
    package var contactAccount: String?
    package var contactEmail: String?
    package var rules: [String] = []
    /// The languages of the feed (BCP 47).
    package var languages = ["en"]

    package init() {}
}
