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
        guard Hexadecimal.isSHA256(text) else { return nil }
        description = text
    }

    package init(_ digest: SHA256.Digest) { description = Hexadecimal.text(digest) }

    package static func < (left: BlobHash, right: BlobHash) -> Bool { left.description < right.description }
}

/// Stores the names of files; their bytes are stored as blobs.
package protocol FileStoring: Sendable {
    /// The file with a name, unless its owner is suspended.
    func file(named name: String) async throws -> StoredFile?
    /// The file with a name, regardless of its owner.
    func fileToReplace(named name: String) async throws -> StoredFile?
    /// Lists blobs that were published, but whose names could not be stored, as replaced.
    func recordUnused(_ blobs: [Blob], of account: Int64?) async throws
    /// Stores or replaces a file in one transaction.
    /// - Parameters:
    ///   - quota: The owner's quota in bytes; `nil` for no limit.
    ///   - decide: Inspects the existing file, if any, and throws to refuse the change.
    /// - Returns: Whether the name is new.
    /// - Throws: ``FeedError`` `.quota`, and any error thrown by `decide`.
    func put(
        _ file: StoredFile, quota: Int64?, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void
    ) async throws -> Bool
    /// Stores all files in one transaction, renaming those whose name is taken to `name-2.ext`, `name-3.ext` and so on.
    /// - Parameter quota: The owner's quota in bytes; `nil` for no limit.
    /// - Returns: The files with their final names.
    /// - Throws: ``FeedError`` `.quota`.
    func add(_ files: [StoredFile], quota: Int64?) async throws -> [StoredFile]
    /// Removes the name unless `decide` throws. The blob is listed as replaced.
    /// - Returns: Whether there was such a file.
    func delete(named name: String, _ decide: @escaping @Sendable (StoredFile) throws -> Void) async throws -> Bool
    /// The total size in bytes of an account's files and media, and of its replaced blobs that are not yet collected.
    func bytes(of account: Int64) async throws -> Int64
    /// An account's files sorted by name, starting after the name `after`.
    func files(of account: Int64, after: String?, limit: Int) async throws -> [StoredFile]
    /// The subset of `hashes` that files, media or accounts refer to.
    func used(among hashes: [BlobHash]) async throws -> Set<BlobHash>
    /// Blobs of replaced and deleted files that are not yet collected, oldest first.
    /// - Parameter account: Only blobs of this account; `nil` for all.
    func replaced(of account: Int64?, limit: Int) async throws -> [ReplacedBlob]
    /// Removes the records of collected blobs.
    func forget(_ replaced: [ReplacedBlob]) async throws
}

extension FileStoring {
    /// Stores the names of published blobs. If `store` fails, the blobs are listed as replaced, so that the maintenance
    /// removes them.
    package func recordingUnused<Value>(
        _ files: [StoredFile], _ store: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await store()
        } catch {
            try? await recordUnused(files.map(\.blob), of: files.first?.ownerID)
            throw error
        }
    }
}
