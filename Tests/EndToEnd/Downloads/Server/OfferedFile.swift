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
        OfferedFile(bytes: SampleBytes.make(size, seed: seed), tag: "\"version-\(seed)\"")
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
