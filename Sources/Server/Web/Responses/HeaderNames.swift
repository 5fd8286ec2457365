import HTTPTypes
import Hummingbird

extension HTTPField.Name {
    static let contentTypeOptions = Self.known("X-Content-Type-Options")
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let reprDigest = Self.known("Repr-Digest")
    static let frameOptions = Self.known("X-Frame-Options")
    static let pragma = Self.known("Pragma")
    static let rateLimitLimit = Self.known("X-RateLimit-Limit")
    static let rateLimitRemaining = Self.known("X-RateLimit-Remaining")
    static let rateLimitReset = Self.known("X-RateLimit-Reset")
    static let link = Self.known("Link")
    static let contentDigest = Self.known("Content-Digest")

    /// A name that is a valid token, as all of ours are.
    private static func known(_ name: String) -> Self { Self(name) ?? .contentType }
}
