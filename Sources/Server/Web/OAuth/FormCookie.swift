import FeedCore
import HTTPTypes

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
        guard let value = Self.value(in: request, isSecure: isSecure), AuthorizationCode.isChallenge(value)
        else { return nil }
        self.value = value
        self.isSecure = isSecure
    }

    /// The header field that sets the cookie (RFC 6265 §4.1).
    var field: HTTPField {
        let (name, secure) = (Self.name(isSecure: isSecure), isSecure ? "; Secure" : "")
        return HTTPField(
            name: .setCookie, value: "\(name)=\(value); Max-Age=3600; Path=/\(secure); HttpOnly; SameSite=Lax")
    }

    /// The value of the first cookie with the name (RFC 6265 §4.2).
    private static func value(in request: Request, isSecure: Bool) -> String? {
        let start = name(isSecure: isSecure) + "="
        let pairs = request.headers[values: .cookie].lazy.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map { $0.drop { $0 == UInt8(ascii: " ") } }
        return pairs.first { $0.starts(with: start.utf8) }.map { String(Substring($0.dropFirst(start.utf8.count))) }
    }

    /// The prefix keeps sibling hosts from setting the cookie (RFC 6265bis §4.1.3.2); browsers accept it over TLS only.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-form" : "form" }
}
