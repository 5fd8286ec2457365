import FeedTestSupport
import Foundation

/// One version of the file a fault server offers.
struct OfferedFile: Sendable {
    var bytes: Data
    /// The ETag as it is sent; `nil` for none.
    var tag: String?
    /// The Last-Modified field as it is sent; `nil` for none.
    var modified: String?
    /// The Repr-Digest field as it is sent; `nil` for none.
    var digest: String?

    /// Bytes that do not repeat and no compressor makes shorter.
    /// - Parameter seed: Other seeds give other bytes and another ETag.
    static func random(_ size: Int, seed: UInt64 = 1) -> OfferedFile {
        var generator = SplitMix(seed: seed)
        var bytes = Data(capacity: size + 8)
        while bytes.count < size { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return OfferedFile(bytes: Data(bytes.prefix(size)), tag: "\"version-\(seed)\"")
    }

    func with(tag: String?) -> OfferedFile {
        var file = self
        file.tag = tag
        return file
    }

    func with(modified: String) -> OfferedFile {
        var file = self
        file.modified = modified
        return file
    }

    /// Says what its bytes are, as our own server does.
    func digested() -> OfferedFile {
        var file = self
        file.digest = Checksum.digestField(bytes)
        return file
    }

    /// The same with more at its end, or with less.
    func resized(to size: Int, tag: String) -> OfferedFile {
        var file = OfferedFile.random(size, seed: 77).with(tag: tag)
        file.bytes = Data(bytes.prefix(size) + file.bytes.dropFirst(bytes.count))
        return file
    }

    var checksum: String { "sha-256:" + Checksum.sha256(bytes) }
}

/// Steele, Lea and Flood's SplitMix64: small, and the same on every machine.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
