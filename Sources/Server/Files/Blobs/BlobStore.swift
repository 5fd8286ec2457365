package import FeedCore
import Foundation
import NIOCore
package import NIOPosix

/// Content-addressed storage: each blob is a file named by its SHA-256 hash, `blobs/ab/cd/abcd…` in the data folder.
///
/// A blob is written to a temporary file, synced and renamed, so that a blob is always complete. Identical content is
/// stored once.
package final class BlobStore: BlobStoring {
    /// Separates the name of the lock-holding file in `tmp/` from the rest of the name of a file it protects.
    static let heldMark: Character = "."

    let folder: String
    let threads: NIOThreadPool

    var temporaryFolder: String { folder + "/tmp" }

    /// Creates the folders, accessible to the owner only.
    /// - Parameter folder: The data folder.
    /// - Throws: ``FeedError`` `.storage` if the folders cannot be created or written.
    package init(folder: String, threads: NIOThreadPool) throws {
        self.folder = folder
        self.threads = threads
        do {
            for name in [folder + "/blobs", folder + "/tmp"] {
                try FileManager.default.createDirectory(
                    atPath: name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Self.narrow(name)
            }
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw FeedError(
                .storage, "the disk that holds \(folder) is full", hint: "Free some space on it and start again.",
                cause: error)
        } catch {
            throw FeedError(
                .storage, "cannot write to the data folder \(folder)",
                hint: "Change its owner, or choose another folder with --data DIR.",
                cause: error)
        }
    }

    /// Restricts access to the owner. A failed `chmod` is ignored for the owner, because some file systems have no
    /// modes.
    private static func narrow(_ folder: String) throws {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 else { return }
        guard status.st_uid == geteuid() else { throw POSIXError(.EPERM) }
    }

    /// The path of a blob.
    package func path(_ hash: String) -> String {
        "\(folder)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
    }

    /// Updates the modification time of a blob, which protects it from garbage collection during the grace period.
    /// - Returns: Whether the blob exists.
    func touch(_ hash: String) -> Bool { utimensat(AT_FDCWD, path(hash), nil, 0) == 0 }

    /// Protects blobs from garbage collection; to be called just before their file rows are inserted.
    /// - Throws: ``FeedError`` `.unavailable` if a blob has already been collected.
    package func keep(_ blobs: [Blob]) async throws {
        let areThere = try await threads.runIfActive { [self] in blobs.allSatisfy { touch($0.hash) } }
        guard areThere else {
            throw FeedError(
                .unavailable, "The uploaded data has already been removed", hint: "Upload it again.", retryAfter: 1)
        }
    }

    /// Starts writing a new blob.
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - excess: The error thrown when the limit is exceeded; by default ``FeedError`` `.tooLarge`.
    package func begin(limit: Int64, excess: FeedError? = nil) async throws -> BlobWriter {
        let (path, descriptor) = try await threads.runIfActive { [self] in try create() }
        return BlobWriter(store: self, path: path, descriptor: descriptor, limit: limit, excess: excess)
    }

    /// Creates and locks a temporary file. The kernel releases the lock when the process ends, so an unlocked file is
    /// left over from a crash. If the collector removes the file before it is locked, another one is created.
    private func create() throws -> (path: String, descriptor: Int32) {
        for _ in 0..<100 {
            let path = temporaryFolder + "/" + UUID().uuidString
            let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw BlobError.failed("open", errno) }
            var status = stat()
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                return (path, descriptor)
            }
            close(descriptor)
        }
        throw BlobError.failed("lock", EAGAIN)
    }

    /// Stores content that is already in memory.
    package func store(_ bytes: [UInt8]) async throws -> Blob {
        let writer = try await begin(limit: .max)
        do {
            try await writer.write(.init(bytes: bytes))
            return try await writer.finish().blob
        } catch {
            await writer.discard()
            throw error
        }
    }
}

enum BlobError {
    /// Converts a failed system call to an error for the client.
    static func failed(_ call: String, _ code: Int32) -> FeedError {
        let cause = SystemCallError(call: call, code: code)
        switch code {
        case ENOSPC, EDQUOT:
            return FeedError(.storage, "The disk is full", hint: "Free some space; nothing was lost.", cause: cause)
        case EMFILE, ENFILE:
            return FeedError(.unavailable, "Too many open files", hint: "Try again.", cause: cause, retryAfter: 1)
        default:
            return FeedError(.storage, "The file could not be read or written", cause: cause)
        }
    }
}

/// A failed system call, for the log.
package struct SystemCallError: Error, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
