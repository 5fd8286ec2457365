package import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// Everything that a page depends on, except the change log.
package struct PageKey: Hashable, Sendable {
    let base: String
    /// The path and the query.
    let address: String
    let viewer: Int64?
    /// Other content of the page, such as the settings of the site.
    let edition: String

    init(base: String, address: String, viewer: Int64? = nil, edition: String = "") {
        (self.base, self.address, self.viewer, self.edition) = (base, address, viewer, edition)
    }

    /// The key of the page at the address of a request.
    init(
        _ request: Request, _ server: BaseURL, viewer: Int64? = nil, edition: String = ""
    ) throws(FeedError) {
        self.init(
            base: try server.text(for: request), address: request.uri.string, viewer: viewer, edition: edition)
    }

    /// The approximate size in bytes.
    var cost: Int { 4 * (base.utf8.count + address.utf8.count + edition.utf8.count) }
}

/// The pages in memory, which are valid until something that they show changes. Requests for a page that is being built
/// wait for the same bytes.
package typealias PageCache = ChangeLogCache<PageKey, CachedPage>

/// A page that a change has affected.
typealias StalePage = PageCache.Entry

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
