package import Crypto

/// The name of a blob: the SHA-256 hash of its content. Paths of blobs are formed from nothing else.
package struct BlobHash: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 64 lowercase hexadecimal digits.
    package let description: String

    /// - Returns: `nil` unless `text` consists of 64 lowercase hexadecimal digits.
    package init?(_ text: String) {
        guard Hexadecimal.isSHA256(text) else { return nil }
        description = text
    }

    package init(_ digest: SHA256.Digest) { description = Hexadecimal.text(digest) }

    package static func < (left: BlobHash, right: BlobHash) -> Bool { left.description < right.description }
}
