import FeedCore
import FeedFiles
import NIOCore
import NIOPosix
import Synchronization

/// The key of a cached timeline page: everything that the page depends on, except the change log.
package struct PageKey: Hashable, Sendable {
    let base: String
    let address: String
    let viewer: Int64?
}

/// A rendered page or an encoded timeline, with its compressed body.
package struct CachedPage: Sendable {
    let body: ByteBuffer
    let link: String?
    /// Derived from the body and the links, so that it survives unrelated changes and is the same on every server.
    let tag: EntityTag
    private let compression = PageCompression()

    init(body: ByteBuffer, link: String?) {
        self.body = body
        self.link = link
        tag = EntityTag(of: body, links: link ?? "")
    }

    /// The approximate size in bytes, including what the page depends on. A compressed body is at most a quarter of this
    /// one in most cases.
    var cost: Int { body.readableBytes / 4 * 5 + 4096 }

    /// The compressed body.
    /// - Returns: `nil` if the page has to be sent uncompressed, because it is requested for the first time, or because
    ///   compressing it does not pay.
    func compressedBody() async throws -> ByteBuffer? { try await compression.body(of: body) }

    /// The body for a client that accepts gzip, if it is known whether that is the compressed one.
    var knownBody: ByteBuffer? { compression.knownBody(of: body) }
}

/// Compresses the body of a page when it is requested for the second time, because most pages are requested once. The
/// result belongs to the page, so it can never be sent in place of another one.
private final class PageCompression: Sendable {
    private enum State {
        case new, requested, running
        /// `nil` if the compressed body is not shorter.
        case done(ByteBuffer?)
    }

    /// The size in bytes below which a body fits into a single packet anyway.
    private static let minimumBytes = 1400

    private let state = Mutex(State.new)

    func body(of body: ByteBuffer) async throws -> ByteBuffer? {
        guard body.readableBytes >= Self.minimumBytes else { return nil }
        let (isMine, known) = state.withLock { state -> (Bool, ByteBuffer?) in
            switch state {
            case .new:
                state = .requested
                return (false, nil)
            case .requested:
                state = .running
                return (true, nil)
            case .running: return (false, nil)
            case .done(let compressed): return (false, compressed)
            }
        }
        guard isMine else { return known }
        let compressed = try? await Self.compress(body)
        state.withLock { $0 = .done(compressed) }
        return compressed
    }

    func knownBody(of body: ByteBuffer) -> ByteBuffer? {
        guard body.readableBytes >= Self.minimumBytes else { return body }
        guard case .done(let compressed) = state.withLock({ $0 }) else { return nil }
        return compressed ?? body
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
