/// An invitation by the operator, which allows a number of people to sign up.
package struct Invitation: Sendable, Equatable {
    /// The maximum number of uses of an invitation.
    package static let usesLimit = 10_000
    /// 32 characters that are not easily confused. All are lowercase, and a code cannot begin with a dash, which the
    /// command line would take for an option.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
    /// The number of characters of a code, each with five random bits.
    private static let length = 20

    package var code: String
    /// The account in whose name the operator invites, if any.
    package var inviter: Account?
    /// Milliseconds since 1970, UTC.
    package var createdAt: Int64
    /// Milliseconds since 1970, UTC.
    package var expiresAt: Int64
    package var maximumUses: Int
    /// The number of accounts created with this invitation.
    package var uses: Int

    package init(
        code: String, inviter: Account? = nil, createdAt: Int64, expiresAt: Int64, maximumUses: Int, uses: Int = 0
    ) {
        self.code = code
        self.inviter = inviter
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.maximumUses = maximumUses
        self.uses = uses
    }

    /// An invitation ends when it expires, when it is used up, and while its inviter is suspended.
    /// - Parameter now: Milliseconds since 1970.
    package func isUsable(at now: Int64) -> Bool {
        now < expiresAt && uses < maximumUses && inviter?.suspendedAt == nil
    }

    /// A new code of 100 random bits.
    package static func newCode() -> String {
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
    }

    /// Whether the text has the form of a code.
    package static func isCode(_ text: String) -> Bool {
        text.utf8.count == length && text.allSatisfy(alphabet.contains)
    }
}
