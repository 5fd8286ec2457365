/// A file people stored under a name.
package struct StoredFile: Sendable, Equatable {
    package var name: String
    /// Who stored it first; `nil` for an anonymous upload, which nobody can replace.
    package var ownerID: Int64?
    package var blob: Blob
    /// Media type, found by looking at the bytes.
    package var type: String
    /// Milliseconds since 1970.
    package var modifiedAt: Int64

    package init(name: String, ownerID: Int64?, blob: Blob, type: String, modifiedAt: Int64) {
        self.name = name
        self.ownerID = ownerID
        self.blob = blob
        self.type = type
        self.modifiedAt = modifiedAt
    }
}

/// Bytes in the blob store, known by what they are.
package struct Blob: Sendable, Equatable {
    /// SHA-256, lower-case hexadecimal.
    package var hash: String
    /// In bytes.
    package var size: Int64

    package init(hash: String, size: Int64) {
        self.hash = hash
        self.size = size
    }
}

/// A blob that a file or an account referred to until it was replaced or deleted.
package struct ReplacedBlob: Sendable, Equatable {
    package var id: Int64
    package var hash: String

    package init(id: Int64, hash: String) {
        self.id = id
        self.hash = hash
    }
}
