package import FeedCore
import Foundation
import NIOCore
package import NIOPosix

/// Files known by what they are: `blobs/ab/cd/abcd…` under the data folder, named by SHA-256. Written beside, synced,
/// then renamed, so that a name always stands for whole bytes; equal bytes are kept once.
package final class BlobStore: BlobStoring {
    /// Between the name of a file in `tmp/` that holds the lock and the rest of the name of one it stands for.
    static let heldMark: Character = "."

    let folder: String
    let threads: NIOThreadPool

    var temporaryFolder: String { folder + "/tmp" }

    /// Makes the folders, and closes them to others.
    /// - Parameter folder: The data folder.
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
                .storage, "the disk that holds \(folder) is full", hint: "Free some space on it, then start again.",
                cause: error)
        } catch {
            throw FeedError(
                .storage, "cannot write to the data folder \(folder)",
                hint: "Change its owner, or choose another with --data DIR.",
                cause: error)
        }
    }

    /// A file system without modes leaves it as it is, also for its owner.
    private static func narrow(_ folder: String) throws {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 else { return }
        guard status.st_uid == geteuid() else { throw POSIXError(.EPERM) }
    }

    package func path(_ hash: String) -> String {
        "\(folder)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
    }

    /// Says that a blob is wanted, which keeps it from the collector for a while.
    /// - Returns: Whether it is there.
    func touch(_ hash: String) -> Bool { utimensat(AT_FDCWD, path(hash), nil, 0) == 0 }

    /// Says so for all of `blobs`; to be called just before they get their names.
    /// - Throws: ``FeedError`` `.unavailable` when the collector was faster.
    package func keep(_ blobs: [Blob]) async throws {
        let areThere = try await threads.runIfActive { [self] in blobs.allSatisfy { touch($0.hash) } }
        guard areThere else {
            throw FeedError(.unavailable, "The file was tidied away", hint: "Send it again.", retryAfter: 1)
        }
    }

    /// Starts writing a new blob.
    /// - Parameters:
    ///   - limit: Bytes it may have at most.
    ///   - excess: What is thrown when more come.
    package func begin(limit: Int64, excess: FeedError? = nil) async throws -> BlobWriter {
        let (path, descriptor) = try await threads.runIfActive { [self] in try create() }
        return BlobWriter(store: self, path: path, descriptor: descriptor, limit: limit, excess: excess)
    }

    /// The lock goes with the process, so a file without one is left over from a crash. The collector may come between
    /// making and locking; then the name is gone, and another is taken.
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

    /// Stores bytes that are in memory already.
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
    /// What a failed system call means for the one who asked.
    static func failed(_ call: String, _ code: Int32) -> FeedError {
        let cause = SystemCallError(call: call, code: code)
        switch code {
        case ENOSPC, EDQUOT:
            return FeedError(.storage, "The disk is full", hint: "Free some space; nothing was lost.", cause: cause)
        case EMFILE, ENFILE:
            return FeedError(.unavailable, "Too many files are open", hint: "Try again.", cause: cause, retryAfter: 1)
        default:
            return FeedError(.storage, "The file could not be stored", cause: cause)
        }
    }
}

/// A system call that failed, for the log.
package struct SystemCallError: Error, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
