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
    /// Set if the page is one of a home timeline that can be refreshed.
    let homeEntries: HomeEntries?
    /// The header fields of responses with the page, which are the same each time.
    private(set) var headers = PageHeaders()

    init(
        body: ByteBuffer, link: String?, builtAt: Int64? = nil, isPrivate: Bool = false, isNoindex: Bool = false,
        homeEntries: HomeEntries? = nil
    ) {
        self.body = body
        self.link = link
        self.builtAt = builtAt
        self.isPrivate = isPrivate
        self.isNoindex = isNoindex
        self.homeEntries = homeEntries
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
