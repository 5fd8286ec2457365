import Synchronization

/// The applications' own tokens used since the last sweep. Kept in memory: a write per request would cost more than the
/// response, and losing an hour of use in a crash is harmless, since tokens expire after 30 days.
final class TokenUse: Sendable {
    /// The maximum number of recorded tokens. Exceeding it only delays the recording of other tokens by a sweep or two.
    private static let limit = 10_000

    /// The start of the recording, in milliseconds since 1970.
    let since: Int64
    private let hashes = Mutex<Set<[UInt8]>>([])

    init(since: Int64) { self.since = since }

    func record(_ hash: [UInt8]) {
        hashes.withLock { if $0.count < Self.limit { _ = $0.insert(hash) } }
    }

    /// Returns the recorded hashes and clears them.
    func drain() -> [[UInt8]] {
        hashes.withLock { noted in
            defer { noted = [] }
            return Array(noted)
        }
    }
}
