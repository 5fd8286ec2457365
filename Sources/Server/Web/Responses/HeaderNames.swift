import HTTPTypes

extension HTTPField.Name {
    static let contentTypeOptions = Self.known("X-Content-Type-Options")
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let reprDigest = Self.known("Repr-Digest")
    static let frameOptions = Self.known("X-Frame-Options")
    static let pragma = Self.known("Pragma")
    static let rateLimitLimit = Self.known("X-RateLimit-Limit")
    static let rateLimitRemaining = Self.known("X-RateLimit-Remaining")
    static let rateLimitReset = Self.known("X-RateLimit-Reset")
    static let forwarded = Self.known("Forwarded")
    static let forwardedFor = Self.known("X-Forwarded-For")
    static let forwardedProto = Self.known("X-Forwarded-Proto")
    static let robotsTag = Self.known("X-Robots-Tag")
    static let requestID = Self.known("X-Request-Id")
    /// `true` if a search may not have found everything.
    static let searchIncomplete = Self.known("Search-Incomplete")
    static let link = Self.known("Link")
    static let contentDigest = Self.known("Content-Digest")
    static let lastEventID = Self.known("Last-Event-ID")
    static let accelBuffering = Self.known("X-Accel-Buffering")
    static let fetchSite = Self.known("Sec-Fetch-Site")
    static let clearSiteData = Self.known("Clear-Site-Data")
    static let webSocketKey = Self.known("Sec-WebSocket-Key")
    static let webSocketVersion = Self.known("Sec-WebSocket-Version")
    static let webSocketProtocol = Self.known("Sec-WebSocket-Protocol")
    /// HTTPTypes has no name for Host, because the authority replaces it; an HTTP/2 client may send both.
    static let hostField = Self.known("Host")

    /// All names above are valid tokens (RFC 9110 §5.1), so the fallback is never used.
    private static func known(_ name: String) -> Self { Self(name) ?? .contentType }
}

extension HTTPFields {
    /// Asks search engines to ignore content without a page of its own, if that is what the account wants.
    mutating func setIndexing(isRefused: Bool) { if isRefused { self[.robotsTag] = "noindex" } }
}
