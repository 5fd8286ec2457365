package import Crypto

/// An uploaded file.
package struct StoredFile: Sendable, Equatable {
    package var name: String
    /// The account that first stored a file under this name; `nil` for an anonymous upload, which cannot be replaced.
    package var ownerID: Int64?
    package var blob: Blob
    /// The media type, detected from the content.
    package var type: String
    /// Milliseconds since 1970, UTC.
    package var modifiedAt: Int64

    package init(name: String, ownerID: Int64?, blob: Blob, type: String, modifiedAt: Int64) {
        self.name = name
        self.ownerID = ownerID
        self.blob = blob
        self.type = type
        self.modifiedAt = modifiedAt
    }
}

/// A reference to content in the blob store, identified by its hash.
package struct Blob: Sendable, Equatable {
    package var hash: BlobHash
    /// The size in bytes.
    package var size: Int64

    package init(hash: BlobHash, size: Int64) {
        self.hash = hash
        self.size = size
    }
}

/// A blob to which a file or an account referred until it was replaced or deleted.
package struct ReplacedBlob: Sendable, Equatable {
    package var id: Int64
    /// `nil` if the stored name is not a hash.
    package var hash: BlobHash?

    package init(id: Int64, hash: BlobHash?) {
        self.id = id
        self.hash = hash
    }
}

/// The name of a blob: the SHA-256 hash of its content. Paths of blobs are formed from nothing else.
package struct BlobHash: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 64 lowercase hexadecimal digits.
    package let description: String

    /// - Returns: `nil` unless `text` consists of 64 lowercase hexadecimal digits.
    package init?(_ text: String) {
        guard Hex.isSHA256(text) else { return nil }
        description = text
    }

    package init(_ digest: SHA256.Digest) { description = Hex.text(digest) }

    package static func < (left: BlobHash, right: BlobHash) -> Bool { left.description < right.description }
}
