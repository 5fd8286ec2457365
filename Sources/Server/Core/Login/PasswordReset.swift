/// A link with which somebody who cannot log in sets a new password. The operator makes it and passes it on, because the
/// server sends no mail. It works once, and only the hash of its code is stored.
package struct PasswordReset: Sendable {
    /// The time in milliseconds for which a link works.
    package static let lifetime: Int64 = 86_400_000

    /// The secret last part of the link, of ``Secret/randomText()``.
    package let code: String
    package let account: Account
    /// Milliseconds since 1970, UTC.
    package let expiresAt: Int64

    package init(code: String, account: Account, expiresAt: Int64) {
        self.code = code
        self.account = account
        self.expiresAt = expiresAt
    }

    /// The path of the page that sets the password.
    package var path: String { "/reset/" + code }

    /// The error for a link that is unknown, used or expired, or whose account is suspended.
    package static let invalid = FeedError(
        .notFound, "This link is not valid",
        hint: "It may have expired or been used already. Ask the operator for a new one.")
}
