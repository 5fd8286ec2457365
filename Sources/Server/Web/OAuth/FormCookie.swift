import FeedCore
import Hummingbird

/// What a browser keeps while a form is open. `Lax`, since people come to the form from other sites; a form sent from
/// another site still comes without it.
struct FormCookie: Sendable {
    let value: String
    let isSecure: Bool

    /// A fresh one.
    init(isSecure: Bool) {
        value = AccessTokens.randomText()
        self.isSecure = isSecure
    }

    /// The one a browser sends: several forms may be open at once.
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

    /// The prefix keeps neighbouring hosts from setting it (RFC 6265bis §4.1.3.2); browsers take it over TLS only.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-form" : "form" }
}
