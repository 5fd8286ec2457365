import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// A rendered page or an encoded timeline, with its compressed body.
package struct CachedPage: Sendable {
    let body: ByteBuffer
    let link: String?
    /// The time before its content was read, in milliseconds since 1970; `nil` if responses have no Last-Modified.
    let builtAt: Int64?
    /// Whether the page is for one account, which other sites can open, too.
    let isPrivate: Bool
    /// Whether search engines are asked to ignore the page.
    let isNoindex: Bool
    /// Derived from the body and the links, so that it survives unrelated changes and is the same on every server.
    let tag: EntityTag
    let compression = PageCompression()
    /// Set if the page can be refreshed.
    let kept: KeptEntries?
    /// The header fields of responses with the page, which are the same each time.
    private(set) var headers = PageHeaders()

    init(
        body: ByteBuffer, link: String?, builtAt: Int64? = nil, isPrivate: Bool = false, isNoindex: Bool = false,
        kept: KeptEntries? = nil
    ) {
        self.body = body
        self.link = link
        self.builtAt = builtAt
        self.isPrivate = isPrivate
        self.isNoindex = isNoindex
        self.kept = kept
        tag = EntityTag(of: body, links: link ?? "")
    }

    /// - Parameters:
    ///   - common: The header fields of the endpoint.
    ///   - type: The value of Content-Type.
    mutating func setHeaders(_ common: HTTPFields, type: String) {
        headers = PageHeaders(common, tag: tag, type: type, link: link)
    }

    /// The approximate size in bytes, including what the page depends on. A compressed body is at most a quarter of this
    /// one in most cases.
    var cost: Int { body.readableBytes / 4 * 5 + 4096 }
}

/// The entries of the newest page of a home timeline, with which it can be refreshed when statuses are added.
struct KeptEntries: Sendable {
    /// The maximum number of entries on the page, which the configuration can change.
    let limit: Int
    /// Newest first, with the first one of the following page.
    let entries: [MarkedEntry]

    /// - Returns: `nil` if the page is another one, or reading stopped before it was full.
    init?(_ page: Page<ListedStatus>, of timeline: Timeline, _ pagination: Pagination) {
        guard case .home = timeline, pagination == Pagination(limit: pagination.limit), !page.endsEarly else {
            return nil
        }
        limit = pagination.limit
        entries = page.entries.map(\.entry) + (page.following.map { [$0.entry] } ?? [])
    }
}

/// The header fields of responses with a page, for either coding.
struct PageHeaders: Sendable {
    private var identity = HTTPFields()
    private var gzip = HTTPFields()

    init() {}

    init(_ common: HTTPFields, tag: EntityTag, type: String, link: String?) {
        (identity, gzip) = (common, common)
        identity.append(HTTPField(name: .eTag, value: tag.headerValue))
        gzip.append(HTTPField(name: .eTag, value: tag.coded(.gzip).headerValue))
        gzip.append(HTTPField(name: .contentEncoding, value: ContentCoding.gzip.rawValue))
        var fields = [HTTPField(name: .contentType, value: type)]
        if let link { fields.append(HTTPField(name: .link, value: link)) }
        identity.append(contentsOf: fields)
        gzip.append(contentsOf: fields)
    }

    subscript(coding: ContentCoding) -> HTTPFields {
        switch coding {
        case .identity: identity
        case .gzip: gzip
        }
    }
}
