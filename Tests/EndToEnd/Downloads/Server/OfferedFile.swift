import FeedTestSupport
import Foundation
import TestKit

/// A version of the file that a fault server offers.
struct OfferedFile: Sendable {
    var bytes: Data
    /// The ETag field; `nil` to omit it.
    var tag: String?
    /// The Last-Modified field; `nil` to omit it.
    var modified: String?
    /// The Repr-Digest field; `nil` to omit it.
    var digest: String?

    /// Incompressible bytes that do not repeat.
    /// - Parameter seed: Different seeds give different bytes and entity tags.
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

    /// The same file with its digest, as our own server sends it.
    func digested() -> OfferedFile {
        var file = self
        file.digest = Checksum.digestField(bytes)
        return file
    }

    /// The same file, extended or truncated.
    func resized(to size: Int, tag: String) -> OfferedFile {
        var file = OfferedFile.random(size, seed: 77).with(tag: tag)
        file.bytes = Data(bytes.prefix(size) + file.bytes.dropFirst(bytes.count))
        return file
    }

    var checksum: String { "sha-256:" + Checksum.sha256(bytes) }
}
