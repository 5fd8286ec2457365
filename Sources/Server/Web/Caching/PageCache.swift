package import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization

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

/// Compresses the body of a page when it is requested for the second time, because most pages are requested once. The
/// result belongs to the page, so it can never be sent in place of another one.
final class PageCompression: Sendable {
    /// The answer for a client that accepts gzip.
    enum Outcome {
        case identity
        case gzip(ByteBuffer)
        /// The body has to be compressed now.
        case needed
    }

    private enum State {
        case new, requested, running
        /// `nil` if the compressed body is not shorter.
        case done(ByteBuffer?)
    }

    /// The size in bytes below which a body fits into a single packet anyway.
    private static let minimumBytes = 1400

    private let state = Mutex(State.new)

    /// Counts a request of a client that accepts gzip, unless the body has to be compressed for it.
    func request(_ body: ByteBuffer) -> Outcome {
        guard body.readableBytes >= Self.minimumBytes else { return .identity }
        return state.withLock { state in
            switch state {
            case .new:
                state = .requested
                return .identity
            case .requested: return .needed
            case .running: return .identity
            case .done(let compressed): return compressed.map(Outcome.gzip) ?? .identity
            }
        }
    }

    /// Counts a request of a client that accepts gzip, and compresses the body if it is time to.
    /// - Returns: `nil` if the page has to be sent uncompressed.
    func bytes(of body: ByteBuffer) async -> ByteBuffer? {
        switch request(body) {
        case .identity: return nil
        case .gzip(let bytes): return bytes
        case .needed:
            guard state.withLock({ Self.begin(&$0) }) else { return nil }
            let compressed = try? await Self.compress(body)
            state.withLock { $0 = .done(compressed) }
            return compressed
        }
    }

    private static func begin(_ state: inout State) -> Bool {
        guard case .requested = state else { return false }
        state = .running
        return true
    }

    /// Compresses on a thread of its own, because it takes longer than an event loop may be kept waiting.
    private static func compress(_ body: ByteBuffer) async throws -> ByteBuffer? {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive {
            guard let bytes = body.withUnsafeReadableBytes(Gzip.compress), bytes.count < body.readableBytes else {
                return nil
            }
            return ByteBuffer(bytes: bytes)
        }
    }
}
