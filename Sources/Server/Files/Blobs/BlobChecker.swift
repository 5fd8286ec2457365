package import FeedCore
import NIOPosix

/// What a check of a stored blob has found.
package enum BlobState: Sendable, Equatable {
    case intact
    case missing
    /// The content has another hash, or cannot be read.
    case damaged
    /// The content is right, but the database states another size. The actual size in bytes.
    case otherSize(Int64)
}

extension BlobStore {
    /// Reads blobs completely and compares their content with their hashes.
    /// - Parameter advance: Called with the size of each chunk in bytes.
    /// - Returns: The states in the order of `blobs`.
    package func check(
        _ blobs: [BlobReference], advance: @escaping @Sendable (Int64) -> Void
    ) async throws -> [BlobState] {
        try await threads.inParallel(blobs) { [self] in checkNow($0, advance) }
    }

    private func checkNow(_ blob: BlobReference, _ advance: (Int64) -> Void) -> BlobState {
        guard Hexadecimal.isSHA256(blob.hash), HashedFile.size(path(blob.hash)) != nil else { return .missing }
        guard let found = try? HashedFile.hash(path(blob.hash), advance: advance), found.hash == blob.hash else {
            return .damaged
        }
        return found.size == blob.size ?? found.size ? .intact : .otherSize(found.size)
    }
}
