import FeedCore
import FeedFiles
import NIOCore
import NIOPosix

/// The gzip-compressed bodies of cached pages.
///
/// A body is found by the entity tag of its page, of which it is a function, so it never shows anything out of date. A
/// page is compressed when it is requested for the second time, because most pages are requested once.
package final class CompressedPages: Sendable {
    /// The size in bytes below which a body fits into a single packet anyway.
    private static let minimumBytes = 1400

    private enum Key: Hashable, Sendable {
        /// A page that has been requested.
        case seen(String)
        case body(String)
    }

    private let cache: ChangeLogCache<Key, ByteBuffer?>

    /// - Parameter limit: The maximum total size in bytes.
    init(log: LogPosition, limit: Int) {
        cache = ChangeLogCache(log: log, limit: limit, name: "compressed")
    }

    /// The compressed body of a page.
    /// - Returns: `nil` if the page has to be sent uncompressed, because it is requested for the first time, or because
    ///   compressing it does not pay.
    func body(of page: CachedPage) async throws -> ByteBuffer? {
        let body = page.body
        guard body.readableBytes >= Self.minimumBytes else { return nil }
        guard cache.cached(.seen(page.tag.opaque)) != nil else {
            _ = try await cache.value(for: .seen(page.tag.opaque), cost: Self.cost) { (nil, ChangeDependencies()) }
            return nil
        }
        return try await cache.value(for: .body(page.tag.opaque), cost: Self.cost) {
            (try await Self.compress(body), ChangeDependencies())
        }
    }

    /// The body of a page for a client that accepts gzip, if it is known whether that is the compressed one.
    func cachedBody(of page: CachedPage) -> ByteBuffer? {
        guard page.body.readableBytes >= Self.minimumBytes else { return page.body }
        return cache.cached(.body(page.tag.opaque)).map { $0 ?? page.body }
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

    /// The approximate size in bytes.
    @Sendable private static func cost(_ body: ByteBuffer?) -> Int { 256 + (body?.readableBytes ?? 0) }
}
