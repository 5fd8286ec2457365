import FeedCore

/// A response that was sent on the ordinary path and may be sent again, as long as its content is up to date.
final class StoredResponse: Sendable {
    /// Everything that the response depends on, except its content and the settings.
    struct Key: Hashable, Sendable {
        let isHead: Bool
        let target: String
        let host: String
        /// Whether the client uses TLS, to its proxy if there is one.
        let isSecure: Bool
        /// Whether the connection itself uses TLS.
        let isEncrypted: Bool
        let viewer: Int64?

        /// The approximate size in bytes, with that of the key in the cache of pages, which repeats the target.
        var cost: Int { 512 + 3 * target.utf8.count + host.utf8.count }
    }

    /// A head, and the counters of the responses that begin with it.
    struct Variant: Sendable {
        let head: StoredHead
        let status: Int
        let metrics: RequestMetrics.Series?

        /// Whether the status is 200 rather than 304.
        var isWhole: Bool { status == 200 }
    }

    let content: ReusableContent
    let access: Access
    /// The path of the request, for the access log.
    let path: String
    /// The limits that the request counts against.
    let limits: [RateLimiter.Kind]
    /// The revision of the settings with which the response was computed.
    let revision: Int
    /// Each is stored when a response with its status is first sent.
    let whole: Variant?
    let notModified: Variant?

    /// - Parameter present: A response that was stored before; its other variant is kept if its content is the same.
    init(
        _ response: ReusableResponse, limits: [RateLimiter.Kind], revision: Int, variant: Variant,
        present: StoredResponse?
    ) {
        content = response.content
        access = response.access
        path = response.path
        self.limits = limits
        self.revision = revision
        let isSame =
            present?.revision == revision && response.content.tag != nil
            && present?.content.tag == response.content.tag
        whole = variant.isWhole ? variant : isSame ? present?.whole : nil
        notModified = variant.isWhole ? isSame ? present?.notModified : nil : variant
    }

    /// The approximate size in bytes, without the key.
    var cost: Int { 256 + path.utf8.count + content.cost + (whole?.head.cost ?? 0) + (notModified?.head.cost ?? 0) }
}
