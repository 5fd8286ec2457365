package import FeedCore
import Foundation
import NIOCore
package import NIOPosix

/// Stores blobs in local files: `blobs/ab/cd/abcd…` in the data folder. A blob is written to `tmp/`, synced and then
/// renamed, so that a file in `blobs` is always complete. Equal content is stored once.
package final class BlobStore: BlobStoring {
    /// Separates the name of the lock-holding file in `tmp/` from the rest of the name of a file it protects.
    static let lockOwnerSeparator: Character = "."

    let folder: String
    let threads: NIOThreadPool

    var temporaryFolder: String { folder + "/tmp" }

    /// Creates the folders, which only the owner can access.
    /// - Parameter folder: The data folder.
    /// - Throws: ``FeedError`` `.storage` if the folders cannot be created or written.
    package init(folder: String, threads: NIOThreadPool) throws {
        self.folder = folder
        self.threads = threads
        do {
            for name in [folder + "/blobs", folder + "/tmp"] {
                try FileManager.default.createDirectory(
                    atPath: name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Self.restrictAccess(name)
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
    private static func restrictAccess(_ folder: String) throws {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 else { return }
        guard status.st_uid == geteuid() else { throw POSIXError(.EPERM) }
    }

    /// The path of a blob.
    package func path(_ hash: String) -> String { Self.path(hash, in: folder) }

    /// The path of a blob in any folder with this layout.
    package static func path(_ hash: String, in folder: String) -> String {
        "\(folder)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
    }

    package func begin(limit: Int64, excess: FeedError?) async throws -> any BlobWriting {
        try await beginFile(limit: limit, excess: excess)
    }

    /// Like ``begin(limit:excess:)``, for blobs that another process may write (``BlobWriter/fill(_:)``).
    func beginFile(limit: Int64, excess: FeedError? = nil) async throws -> BlobWriter {
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
}

enum BlobError {
    /// Converts a failed system call to an error for the client.
    static func failed(_ call: String, _ code: Int32) -> FeedError {
        let cause = SystemCallError(call: call, code: code)
        switch code {
        case ENOSPC, EDQUOT:
            return .diskFull(cause)
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
