import Synchronization

/// Which tokens of programs were shown since the last sweep. Kept in memory: a write for each request would cost more than
/// the answer, and what a crash loses is an hour of what counts by months.
final class TokenUse: Sendable {
    /// Whoever fills this up can only delay that others are noted, by a sweep or two.
    private static let limit = 10_000

    /// Milliseconds since 1970 at which it began to look.
    let since: Int64
    private let hashes = Mutex<Set<[UInt8]>>([])

    init(since: Int64) { self.since = since }

    func record(_ hash: [UInt8]) {
        hashes.withLock { if $0.count < Self.limit { _ = $0.insert(hash) } }
    }

    /// What was noted, which is then forgotten.
    func drain() -> [[UInt8]] {
        hashes.withLock { noted in
            defer { noted = [] }
            return Array(noted)
        }
    }
}
