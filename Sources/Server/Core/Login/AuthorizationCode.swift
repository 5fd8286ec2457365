import Crypto
import Foundation

/// What a person allowed a program on the authorize page, until the program fetches its token (RFC 6749 §4.1).
package struct AuthorizationCode: Sendable, Equatable {
    /// Milliseconds a code is good for; RFC 6749 §4.1.2 allows ten minutes at most.
    package static let lifetime: Int64 = 600_000

    /// What is made of an attempt to trade a code for a token.
    package enum Verdict: Sendable, Equatable {
        case granted, refused
        /// It was traded before: whoever comes second, one of the two has stolen it, so the first one's token goes too.
        case replayed
    }

    package var applicationID: Int64
    package var accountID: Int64
    package var redirectURI: String
    package var scopes: Scopes
    /// What the program's verifier must hash to (RFC 7636, method S256), if it sent one.
    package var challenge: String?
    package var createdAt: Int64
    package var isUsed = false

    package init(
        applicationID: Int64, accountID: Int64, redirectURI: String, scopes: Scopes, challenge: String?,
        createdAt: Int64, isUsed: Bool = false
    ) {
        self.applicationID = applicationID
        self.accountID = accountID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.challenge = challenge
        self.createdAt = createdAt
        self.isUsed = isUsed
    }

    /// - Parameters:
    ///   - applicationID: The program that asks, which has proved who it is.
    ///   - redirectURI: As it was on the authorize page.
    ///   - verifier: The secret behind ``challenge``.
    package func verdict(applicationID: Int64, redirectURI: String?, verifier: String?, now: Int64) -> Verdict {
        guard applicationID == self.applicationID else { return .refused }
        guard !isUsed else { return .replayed }
        guard now < createdAt + Self.lifetime, redirectURI == self.redirectURI else { return .refused }
        return matches(verifier) ? .granted : .refused
    }

    /// A verifier without a challenge is refused too: else who strips the challenge off a request gets by (RFC 9700 §4.8).
    private func matches(_ verifier: String?) -> Bool {
        guard let challenge else { return verifier == nil }
        guard let verifier, (43...128).contains(verifier.utf8.count) else { return false }
        return Base64URL.text(AccessTokens.hash(verifier)) == challenge
    }

    /// Whether a text is a challenge by method S256: 32 bytes in base64url.
    package static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43 && text.utf8.allSatisfy { Username.isLetter($0) || $0 == UInt8(ascii: "-") }
    }
}

/// Base64 with `-` and `_`, without padding (RFC 4648 §5).
package enum Base64URL {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
