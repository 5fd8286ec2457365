package import FeedCore
import Foundation
package import NIOPosix
import Synchronization

/// Copies blobs from one folder to another with the same layout, as ``BlobStore`` describes it. The hash of each blob is
/// computed while it is copied; a blob gets its name only if it is complete, durable and right.
package final class BlobCopier: Sendable {
    private let source: String
    private let target: String
    private let threads: NIOThreadPool
    /// Folders with new names, which are not durable yet.
    private let unsynced = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - source: The folder that contains `blobs`.
    ///   - target: The folder in which `blobs` and `tmp` are created if they are missing.
    package init(from source: String, to target: String, threads: NIOThreadPool) throws {
        self.source = source
        self.target = target
        self.threads = threads
        for name in ["blobs", "tmp"] { try Self.makeFolder(target + "/" + name) }
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
            let folders = unsynced.withLock { folders in
                defer { folders = [] }
                return folders
            }
            for folder in folders { try BlobWriter.sync(folder: folder) }
        }
    }

    private func copyNow(_ blob: BlobReference, _ advance: (Int64) -> Void) throws -> BlobCopyOutcome {
        // The hash becomes part of a path.
        guard Hexadecimal.isSHA256(blob.hash) else { return .damaged }
        let (from, to) = (BlobStore.path(blob.hash, in: source), BlobStore.path(blob.hash, in: target))
        let present = HashedFile.size(to)
        switch BlobCopyRule.decide(expected: blob.size, source: HashedFile.size(from), target: present) {
        case .missing: return .missing
        case .skip:
            advance(present ?? 0)
            return .skipped(present ?? 0)
        case .copy: return try copy(from, to: to, hash: blob.hash, advance)
        }
    }

    private func copy(
        _ source: String, to path: String, hash: String, _ advance: (Int64) -> Void
    ) throws -> BlobCopyOutcome {
        let temporary = target + "/tmp/" + UUID().uuidString
        do {
            let copied = try HashedFile.copy(source, to: temporary, advance: advance)
            guard copied.hash == hash else {
                unlink(temporary)
                return .damaged
            }
            try publish(temporary, path)
            return .copied(copied.size)
        } catch is UnreadableFile {
            return .damaged
        }
    }

    private func publish(_ temporary: String, _ path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        let parent = (folder as NSString).deletingLastPathComponent
        do {
            for name in [parent, folder] { try Self.makeFolder(name) }
            guard rename(temporary, path) == 0 else { throw BlobError.failed("rename", errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        unsynced.withLock { $0.formUnion([folder, parent, target + "/blobs"]) }
    }

    private static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 {
            chmod(path, 0o700)
        } else if errno != EEXIST {
            throw BlobError.failed("mkdir", errno)
        }
    }
}
