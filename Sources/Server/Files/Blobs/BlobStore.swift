package import FeedCore
package import FeedFolders
import Foundation
import NIOCore
package import NIOPosix

/// Stores the bytes of files under their SHA-256, in local files: `blobs/ab/cd/abcd…` in the data folder. A blob is
/// written to `tmp/`, synced and then renamed, so that a file in `blobs` is always complete. Equal content is stored
/// once.
package final class BlobStore: Sendable {
    private static let temporaryName = "tmp"

    let root: Folder
    let threads: NIOThreadPool
    let blobs: BlobFolder
    private let requireSpace: @Sendable () throws -> Void

    /// Opened for each use, because somebody may have removed it meanwhile.
    func temporaryFolder() throws(FolderError) -> Folder { try root.folder(Self.temporaryName, creating: true) }

    /// Creates the folders, which only the owner can access.
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - requireSpace: Throws if no content may be stored currently.
    /// - Throws: ``FeedError`` `.storage` if the folders cannot be created or written.
    package init(
        folder: String, threads: NIOThreadPool, requireSpace: @escaping @Sendable () throws -> Void = {}
    ) throws {
        self.threads = threads
        self.requireSpace = requireSpace
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            root = try Folder(folder)
            blobs = BlobFolder(root: root)
            try blobs.create()
            try root.folder(Self.temporaryName, creating: true).restrictAccess()
        } catch {
            throw Self.explain(error, folder)
        }
    }

    private static func explain(_ error: any Error, _ folder: String) -> FeedError {
        let failure = error as? FolderError
        if failure?.code == ENOSPC || (error as? CocoaError)?.code == .fileWriteOutOfSpace {
            return FeedError(
                .storage, "the disk that holds \(folder) is full", hint: "Free some space on it and start again.",
                cause: error)
        }
        if let failure, failure.isLink { return .symbolicLink(failure) }
        return FeedError(
            .storage, "cannot write to the data folder \(folder)",
            hint: "Change its owner, or choose another folder with --data DIR.", cause: error)
    }

    package func contains(_ hash: BlobHash) -> Bool { blobs.size(hash) != nil }

    /// The path of the file that contains a blob.
    package func path(_ hash: BlobHash) -> String { blobs.path(hash) }

    /// Starts writing a new blob.
    /// - Parameters:
    ///   - limit: The largest size in bytes.
    ///   - excess: The error to throw if more bytes are written; `nil` for a generic one.
    package func begin(limit: Int64, excess: FeedError? = nil) async throws -> BlobWriter {
        let file = try await threads.runIfActive { [self] in
            try requireSpace()
            return try create()
        }
        return BlobWriter(store: self, file: file, limit: limit, excess: excess, requireSpace: requireSpace)
    }

    /// Stores bytes that are already in memory. Must be called inside ``whilePublishing(_:)``.
    package func store(_ bytes: [UInt8]) async throws -> Blob {
        let writer = try await begin(limit: .max)
        do {
            try await writer.write(.init(bytes: bytes))
            let sealed = try await writer.seal(beside: nil)
            try await writer.publish(sealed)
            return sealed.blob
        } catch {
            await writer.discard()
            throw error
        }
    }

    /// Creates and locks a temporary file. The kernel releases the lock when the process ends, so an unlocked file is
    /// left over from a crash. If the collector removes the file before it is locked, another one is created.
    private func create() throws -> TemporaryFile {
        do {
            let folder = try temporaryFolder()
            for _ in 0..<100 {
                let name = TemporaryBlobName.make()
                let descriptor = try folder.createFile(name)
                var status = stat()
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                    return TemporaryFile(folder: folder, name: name, descriptor: descriptor)
                }
                close(descriptor)
            }
        } catch {
            throw BlobError.failed(error)
        }
        throw BlobError.failed("lock", EAGAIN)
    }
}

/// A file of an unfinished blob.
struct TemporaryFile: Sendable {
    let folder: Folder
    var name: String
    /// `nil` once it has been closed.
    var descriptor: Int32?
}

/// The names of unfinished blobs in `tmp/`: a UUID, or the name of the file whose lock protects it, a dot and a UUID.
/// Other files there are not ours.
enum TemporaryBlobName {
    static func make() -> String { UUID().uuidString }

    static func make(protectedBy holder: String) -> String { holder + "." + UUID().uuidString }

    /// - Returns: The file that holds the lock, which may be the file itself; `nil` for any other name.
    static func holder(of name: String) -> String? {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count <= 2, parts.allSatisfy({ UUID(uuidString: String($0)) != nil }) else { return nil }
        return parts.first.map(String.init)
    }
}

enum BlobError {
    static func failed(_ error: FolderError) -> FeedError {
        error.isLink ? .symbolicLink(error) : failed(error.call, error.code, error)
    }

    /// Converts a failed system call to an error for the client.
    static func failed(_ call: String, _ code: Int32) -> FeedError {
        failed(call, code, SystemCallError(call: call, code: code))
    }

    private static func failed(_ call: String, _ code: Int32, _ cause: any Error) -> FeedError {
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

extension FeedError {
    /// Refuses a folder in which somebody has placed a link: it may lead anywhere.
    package static func symbolicLink(_ error: FolderError) -> FeedError {
        FeedError(
            .storage, "a symbolic link is in the way", hint: "Link the whole folder instead, or mount a disk there.",
            cause: error)
    }
}

/// A failed system call, for the log.
struct SystemCallError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }
}

extension NIOThreadPool {
    /// The number of blobs that are read at the same time.
    private static let parallelBlobs = 4

    /// Calls `body` for several blobs at the same time, on the threads of the pool.
    /// - Returns: The results in the order of `blobs`.
    func inParallel<Value: Sendable>(
        _ blobs: [BlobReference], _ body: @escaping @Sendable (BlobReference) throws -> Value
    ) async throws -> [Value] {
        var values = [Value?](repeating: nil, count: blobs.count)
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (index, blob) in blobs.enumerated() {
                if index >= Self.parallelBlobs, let (done, value) = try await group.next() { values[done] = value }
                group.addTask { [self] in (index, try await runIfActive { try body(blob) }) }
            }
            for try await (done, value) in group { values[done] = value }
        }
        return values.compactMap(\.self)
    }
}

extension BlobStore {
    /// Runs `body`, which publishes blobs and stores the rows that refer to them. No blobs are collected meanwhile.
    package func whilePublishing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let descriptor = try await lock.acquireForPublishing()
        defer { close(descriptor) }
        return try await body()
    }

    /// Runs `body`, which removes unreferenced blobs. No blobs are published meanwhile.
    /// - Returns: `nil` if `body` was not run, because blobs are being kept.
    package func whileCollecting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value? {
        guard let descriptor = try await lock.acquireForCollecting() else { return nil }
        defer { close(descriptor) }
        return try await body()
    }

    /// Runs `body`, which may take long, while no process collects blobs. Blobs can be published meanwhile.
    package func whileKeeping<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let descriptor = try await lock.acquireForKeeping()
        defer { close(descriptor) }
        return try await body()
    }

    private var lock: BlobLock { BlobLock(folder: root) }

    /// The hashes of all blobs whose first byte is `prefix`, in no particular order.
    package func list(prefix: UInt8) async throws -> [BlobHash] {
        try await threads.runIfActive { [blobs] in blobs.list(prefix: prefix) }
    }

    /// Removes the given blobs if they are at least `grace` seconds old.
    /// - Returns: The sizes of the removed blobs in bytes.
    package func remove(_ hashes: [BlobHash], grace: Int64) async throws -> [Int64] {
        try await threads.runIfActive { [blobs] in hashes.compactMap { blobs.remove($0, age: grace) } }
    }

    /// Removes unfinished blobs of processes that have ended.
    /// - Returns: The number of removed files.
    @discardableResult
    package func removeUnfinished() async throws -> Int {
        try await threads.runIfActive { [self] in
            do {
                let folder = try temporaryFolder()
                return try folder.names().filter { Self.removeIfUnfinished($0, in: folder) }.count
            } catch let error as FolderError {
                throw BlobError.failed(error)
            }
        }
    }

    private static func removeIfUnfinished(_ name: String, in folder: Folder) -> Bool {
        guard let holder = TemporaryBlobName.holder(of: name), holder == name || !isHeld(holder, in: folder) else {
            return false
        }
        return whileUnlocked(name, in: folder) { (try? folder.removeFile(name)) == true } ?? false
    }

    /// Whether a file exists and is locked by a running upload. The lock is checked before the existence: if the file
    /// is missing at the second check, its upload has ended and published or discarded the files that the lock
    /// protected.
    private static func isHeld(_ name: String, in folder: Folder) -> Bool {
        whileUnlocked(name, in: folder) { true } == nil && folder.status(name) != nil
    }

    /// - Returns: The result of `body`, or `nil` if the file is missing or locked.
    private static func whileUnlocked(_ name: String, in folder: Folder, _ body: () -> Bool) -> Bool? {
        guard let file = try? folder.openFile(name) else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return body()
    }
}
