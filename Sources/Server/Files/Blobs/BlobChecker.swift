package import FeedCore
import Foundation
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
        guard let file = try? blobs.open(blob.hash) else { return blobs.size(blob.hash) == nil ? .missing : .damaged }
        defer { close(file) }
        guard let found = try? HashedFile.hash(file, advance: advance), found.hash == blob.hash else { return .damaged }
        return found.size == blob.size ?? found.size ? .intact : .otherSize(found.size)
    }
}
