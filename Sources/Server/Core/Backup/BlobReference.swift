import Crypto
import Foundation

/// A blob to which files or accounts refer.
package struct BlobReference: Sendable, Equatable {
    package var hash: BlobHash
    /// The size in bytes that the files state; `nil` if only accounts refer to the blob.
    package var size: Int64?
    /// The name of a file, or of an account with a leading `@`, for messages.
    package var name: String

    package init(hash: BlobHash, size: Int64?, name: String) {
        self.hash = hash
        self.size = size
        self.name = name
    }
}

/// Computes one hash of a list of blobs, so that a backup can be compared with its manifest.
package struct BlobListDigest: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func add(_ blob: BlobHash) { hash.update(data: Data(("\(blob)\n").utf8)) }

    package var text: String { Hexadecimal.text(hash.finalize()) }
}
