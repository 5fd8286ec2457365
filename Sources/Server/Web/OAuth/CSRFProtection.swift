import Crypto
import FeedCore
import Foundation
import HTTPTypes

/// Protects a form against cross-site request forgery by a double submit: the token in the form authenticates the form's
/// fields and the browser's cookie. Valid for ten minutes.
struct CSRFProtection: Sendable {
    private static let lifetime: Int64 = 600_000

    private let key: SymmetricKey

    /// - Parameter key: The secret key. All servers of a feed share it, so that a form from one can be submitted to
    ///   another.
    init(key: Data) { self.key = SymmetricKey(data: key) }

    /// - Parameters:
    ///   - cookie: The value of the browser's cookie.
    ///   - fields: The fields to authenticate.
    ///   - now: Milliseconds since 1970.
    func token(cookie: String, fields: [(name: String, value: String)], now: Int64) -> String {
        let until = String(now + Self.lifetime)
        let code = HMAC<SHA256>.authenticationCode(for: Self.bytes(until, cookie, fields), using: key)
        return until + "." + Base64URL.text(code)
    }

    func isValid(_ text: String, cookie: String, fields: [(name: String, value: String)], now: Int64) -> Bool {
        let time = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).first
        guard let until = time.flatMap({ Int64(Substring($0)) }), now < until else { return false }
        // Comparing hashes prevents timing attacks.
        let expected = self.token(cookie: cookie, fields: fields, now: until - Self.lifetime)
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
struct FormCookie: Sendable {
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
