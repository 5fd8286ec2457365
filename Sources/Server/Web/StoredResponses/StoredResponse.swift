import FeedCore
import FeedFiles

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
        /// The coding that the client prefers.
        let coding: ContentCoding
        let viewer: Int64?

        /// The approximate size in bytes, with that of the key in the cache of pages, which repeats the target.
        var cost: Int { 512 + 3 * target.utf8.count + host.utf8.count }
    }

    /// A head, and the counters of the responses that begin with it.
    final class Variant: Sendable {
        let head: StoredHead
        let status: Int
        let metrics: RequestMetrics.Series?

        init(head: StoredHead, status: Int, metrics: RequestMetrics.Series?) {
            (self.head, self.status, self.metrics) = (head, status, metrics)
        }

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
    /// The response with status 200, and those with 304 by their entity tags. Each is stored when it is first sent.
    let whole: Variant?
    let notModified: [String: Variant]

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
            present?.revision == revision && !response.content.tags.isEmpty
            && present?.content.tags == response.content.tags
        let others = isSame ? present?.notModified ?? [:] : [:]
        whole = variant.isWhole ? variant : isSame ? present?.whole : nil
        notModified = variant.isWhole ? others : others.merging([variant.head.tag ?? "": variant]) { $1 }
    }

    /// The approximate size in bytes, without the key.
    var cost: Int {
        notModified.values.reduce(512 + path.utf8.count + content.cost + (whole?.head.cost ?? 0)) { $0 + $1.head.cost }
    }

    /// The response to a request: 304 if the client has the content.
    func variant(for request: PlainRequest) -> Variant? {
        guard let tag = content.tags.first(where: request.has) else { return whole }
        return notModified[tag.text]
    }
}
