import Crypto

/// Bytes in the part file and the digest that identifies them. A hashed range never crosses a chunk boundary.
struct HashedRange: Sendable, Equatable {
    /// Half of a SHA-256 detects any accidental damage.
    static let digestSize = 16

    let range: Range<Int64>
    let digest: [UInt8]

    init(range: Range<Int64>, digest: [UInt8]) {
        self.range = range
        self.digest = digest
    }

    init(_ hasher: RangeHasher) {
        range = hasher.range
        digest = Self.digest(of: hasher.hash)
    }

    static func digest(of hash: SHA256) -> [UInt8] { Array(hash.finalize().prefix(digestSize)) }
}
