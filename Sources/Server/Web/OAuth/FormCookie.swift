import FeedCore
import Hummingbird

/// The cookie of a browser with an open form. `Lax`, since other sites link to the form; a form submitted from another
/// site still lacks the cookie.
struct FormCookie: Sendable {
    let value: String
    let isSecure: Bool

    /// A new cookie with a random value.
    init(isSecure: Bool) {
        value = AccessTokens.randomText()
        self.isSecure = isSecure
    }

    /// The cookie that the browser sent, which several open forms share.
    init?(_ request: Request, isSecure: Bool) {
        guard let value = request.cookies[Self.name(isSecure: isSecure)]?.value, AuthorizationCode.isChallenge(value)
        else { return nil }
        self.value = value
        self.isSecure = isSecure
    }

    var cookie: Cookie {
        Cookie(
            name: Self.name(isSecure: isSecure), value: value, maxAge: 3600, path: "/", secure: isSecure,
            httpOnly: true, sameSite: .lax)
    }

    /// The prefix keeps sibling hosts from setting the cookie (RFC 6265bis §4.1.3.2); browsers accept it over TLS only.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-form" : "form" }
}
