package import FeedCore
package import FeedFolders
import Foundation
package import NIOPosix
import Synchronization

/// Copies blobs from one folder to another with the same layout, as ``BlobStore`` describes it. The hash of each blob is
/// computed while it is copied; a blob gets its name only if it is complete, durable and right.
package final class BlobCopier: Sendable {
    private let source: BlobFolder
    private let target: BlobFolder
    private let temporary: Folder
    private let threads: NIOThreadPool
    /// Blobs whose names are not durable yet, one for each of their folders.
    private let unsynced = Mutex<[Substring: BlobHash]>([:])

    /// - Parameters:
    ///   - source: The folder that contains `blobs`.
    ///   - target: The folder in which `blobs` and `tmp` are created if they are missing.
    package init(from source: Folder, to target: Folder, threads: NIOThreadPool) throws {
        self.source = BlobFolder(root: source)
        self.target = BlobFolder(root: target)
        self.threads = threads
        do {
            try self.target.create()
            temporary = try target.folder("tmp", creating: true)
        } catch {
            throw BlobError.failed(error)
        }
    }

    /// Copies the blobs that the target does not contain.
    /// - Parameter advance: Called with numbers of bytes that have been copied or need not be.
    /// - Returns: The outcomes in the order of `blobs`.
    /// - Throws: ``FeedError`` if the target cannot be written.
    package func copy(
        _ blobs: [BlobReference], advance: @escaping @Sendable (Int64) -> Void
    ) async throws -> [BlobCopyOutcome] {
        try await threads.inParallel(blobs) { [self] in try copyNow($0, advance) }
    }

    /// Makes the names of all copied blobs durable.
    package func sync() async throws {
        try await threads.runIfActive { [self] in
            let blobs = unsynced.withLock { blobs in
                defer { blobs = [:] }
                return blobs
            }
            do {
                for hash in blobs.values { try target.sync(hash) }
            } catch let error as FolderError {
                throw BlobError.failed(error)
            }
        }
    }

    private func copyNow(_ blob: BlobReference, _ advance: (Int64) -> Void) throws -> BlobCopyOutcome {
        let existingSize = target.size(blob.hash)
        switch BlobCopyRule.decide(expected: blob.size, source: source.size(blob.hash), target: existingSize) {
        case .missing: return .missing
        case .skip:
            advance(existingSize ?? 0)
            return .skipped(existingSize ?? 0)
        case .copy: return try copy(blob.hash, advance)
        }
    }

    private func copy(_ hash: BlobHash, _ advance: (Int64) -> Void) throws -> BlobCopyOutcome {
        guard let file = try? source.open(hash) else { return .damaged }
        defer { close(file) }
        let name = TemporaryBlobName.make()
        do {
            let copied = try HashedFile.copy(file, to: name, in: temporary, advance: advance)
            guard copied.hash == hash else {
                _ = try? temporary.removeFile(name)
                return .damaged
            }
            try publish(hash, from: name)
            return .copied(copied.size)
        } catch is UnreadableFile {
            return .damaged
        }
    }

    private func publish(_ hash: BlobHash, from name: String) throws {
        do {
            try target.add(hash, from: name, in: temporary)
        } catch {
            _ = try? temporary.removeFile(name)
            throw BlobError.failed(error)
        }
        unsynced.withLock { $0[hash.description.prefix(4)] = hash }
    }
}
