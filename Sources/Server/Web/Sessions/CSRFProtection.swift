import Crypto
import FeedCore
import Foundation
import HTTPTypes

/// Protects a form against cross-site request forgery by a double submit: the token in the form authenticates the form's
/// fields and the browser's cookie. Valid for ten minutes.
struct CSRFProtection: Sendable {
    private static let lifetime: Int64 = 600_000

    private let key: SymmetricKey
    private let baseURL: BaseURL
    private let clock: WallClock

    /// All servers of a feed share the key of the site, so that a form from one can be submitted to another.
    init(_ site: Site, clock: WallClock) {
        key = SymmetricKey(data: site.formKey)
        baseURL = site.baseURL
        self.clock = clock
    }

    /// The token of a form, and the cookie that the response with the form must set.
    /// - Parameter fields: The fields to authenticate.
    func token(
        _ fields: [(name: String, value: String)], for request: Request
    ) throws(FeedError) -> (text: String, cookie: HTTPField) {
        let isSecure = try baseURL.isSecure(for: request)
        let cookie = CSRFCookie(request, isSecure: isSecure) ?? CSRFCookie(isSecure: isSecure)
        return (token(cookie: cookie.value, fields: fields, until: clock.now() + Self.lifetime), cookie.field)
    }

    /// Whether a submitted form has the token of `fields` and comes from the browser that received it.
    func isTokenValid(
        _ input: RequestParameters, _ fields: [(name: String, value: String)], from request: Request
    ) throws(FeedError) -> Bool {
        let isSecure = try baseURL.isSecure(for: request)
        guard let cookie = CSRFCookie(request, isSecure: isSecure), let text = input["csrf_token"] else { return false }
        return isValid(text, cookie: cookie.value, fields: fields)
    }

    private func token(cookie: String, fields: [(name: String, value: String)], until: Int64) -> String {
        let until = String(until)
        let code = HMAC<SHA256>.authenticationCode(for: Self.bytes(until, cookie, fields), using: key)
        return until + "." + Base64URL.text(code)
    }

    private func isValid(_ text: String, cookie: String, fields: [(name: String, value: String)]) -> Bool {
        let time = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).first
        guard let until = time.flatMap({ Int64(Substring($0)) }), clock.now() < until else { return false }
        // Comparing hashes prevents timing attacks.
        let expected = token(cookie: cookie, fields: fields, until: until)
        return SHA256.hash(data: Data(text.utf8)) == SHA256.hash(data: Data(expected.utf8))
    }

    /// Length prefixes keep the encoding unambiguous.
    private static func bytes(_ until: String, _ cookie: String, _ fields: [(name: String, value: String)]) -> Data {
        let texts = [until, cookie] + fields.flatMap { [$0.name, $0.value] }
        return Data(texts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
    }
}

/// The cookie of a browser with an open form. `Lax`, since other sites link to the form; a form submitted from another
/// site still lacks the cookie.
struct CSRFCookie: Sendable {
    let value: String
    let isSecure: Bool

    /// A new cookie with a random value.
    init(isSecure: Bool) {
        value = Secret.randomText()
        self.isSecure = isSecure
    }

    /// The cookie that the browser sent, which several open forms share.
    init?(_ request: Request, isSecure: Bool) {
        guard let value = request.cookie(Self.name(isSecure: isSecure)), AuthorizationCode.isBase64URL256(value)
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

    /// The prefix keeps sibling hosts from setting the cookie (RFC 6265bis §4.1.3.2); browsers accept it over TLS only.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-form" : "form" }
}
