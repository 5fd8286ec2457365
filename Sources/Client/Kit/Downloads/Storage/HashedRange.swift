import Crypto

/// A range of bytes in the part file, and its digest. A hashed range never crosses a chunk boundary.
struct HashedRange: Sendable, Equatable {
    /// The size of a digest in bytes. Half of a SHA-256 suffices to detect accidental damage.
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
