import Crypto
import FeedCore
import Foundation

/// Ties a form to the browser that was given it and to what it asks for, so that no other page can send it
/// (double submit: the seal is in the form, what it was made with in a cookie). Good for ten minutes.
struct FormSeal: Sendable {
    private static let lifetime: Int64 = 600_000

    /// Of this process: a restart voids open pages, which then ask again.
    private let key = SymmetricKey(size: .bits256)

    /// - Parameters:
    ///   - cookie: What the browser keeps.
    ///   - fields: What the form asks for.
    func text(cookie: String, fields: [(name: String, value: String)], now: Int64) -> String {
        let until = String(now + Self.lifetime)
        let code = HMAC<SHA256>.authenticationCode(for: Self.bytes(until, cookie, fields), using: key)
        return until + "." + Base64URL.text(code)
    }

    func isValid(_ text: String, cookie: String, fields: [(name: String, value: String)], now: Int64) -> Bool {
        guard let until = text.split(separator: ".").first.flatMap({ Int64($0) }), now < until else { return false }
        // Comparing what the two hash to takes the same time wherever they differ.
        let expected = self.text(cookie: cookie, fields: fields, now: until - Self.lifetime)
        return SHA256.hash(data: Data(text.utf8)) == SHA256.hash(data: Data(expected.utf8))
    }

    /// Lengths keep one value from passing for two.
    private static func bytes(_ until: String, _ cookie: String, _ fields: [(name: String, value: String)]) -> Data {
        let texts = [until, cookie] + fields.flatMap { [$0.name, $0.value] }
        return Data(texts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
    }
}
