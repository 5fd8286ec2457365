import FeedFiles
import NIOCore
import NIOPosix
import Synchronization

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
