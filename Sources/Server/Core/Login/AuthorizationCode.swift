import Crypto

/// An authorization code: a user's consent, to be exchanged for a token by the application (RFC 6749 §4.1).
package struct AuthorizationCode: Sendable, Equatable {
    /// The lifetime of a code in milliseconds; RFC 6749 §4.1.2 recommends at most ten minutes.
    package static let lifetime: Int64 = 600_000

    /// The outcome of an attempt to exchange a code for a token.
    package enum Verdict: Sendable, Equatable {
        case granted, refused
        /// The code has already been exchanged. One of the two requests used a stolen code, so the token issued for the
        /// first request is revoked as well (RFC 6749 §4.1.2).
        case replayed
    }

    package var applicationID: Int64
    package var accountID: Int64
    package var redirectURI: String
    package var scopes: ScopeSet
    /// The PKCE code challenge (RFC 7636, method S256), if the application sent one.
    package var challenge: String?
    /// Milliseconds since 1970, UTC.
    package var createdAt: Int64
    package var isUsed = false

    package init(
        applicationID: Int64, accountID: Int64, redirectURI: String, scopes: ScopeSet, challenge: String?,
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

    /// Decides whether the code may be exchanged for a token.
    /// - Parameters:
    ///   - applicationID: The authenticated application that requests the token.
    ///   - redirectURI: The redirect URI from the token request; must equal that of the authorization request.
    ///   - verifier: The PKCE code verifier for ``challenge``.
    ///   - now: Milliseconds since 1970, UTC.
    package func verdict(applicationID: Int64, redirectURI: String?, verifier: String?, now: Int64) -> Verdict {
        guard applicationID == self.applicationID else { return .refused }
        guard !isUsed else { return .replayed }
        guard now - Self.lifetime < createdAt, redirectURI == self.redirectURI else { return .refused }
        return matches(verifier) ? .granted : .refused
    }

    /// Also refuses a verifier without a challenge, which prevents PKCE downgrade attacks (RFC 9700 §4.8).
    private func matches(_ verifier: String?) -> Bool {
        guard let challenge else { return verifier == nil }
        guard let verifier, (43...128).contains(verifier.utf8.count) else { return false }
        return Base64URL.text(Secret.hash(verifier)) == challenge
    }

    /// Whether the text is a valid S256 code challenge: 32 bytes in base64url.
    package static func isBase64URL256(_ text: String) -> Bool {
        text.utf8.count == 43 && text.utf8.allSatisfy { Username.isLetter($0) || $0 == UInt8(ascii: "-") }
    }
}
