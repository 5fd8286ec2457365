package import FeedCore
package import FeedFolders
import Foundation
package import NIOPosix

/// A folder with backups. Each consists of a database and a manifest; all share the folder `blobs`. A backup without a
/// manifest is incomplete.
package final class BackupFolder: Sendable {
    private static let (lockName, temporaryName) = ("backup.lock", "tmp")
    /// Files that may be in an empty folder: the root of a file system contains one.
    private static let ignored: Set<String> = ["lost+found"]

    package let root: Folder
    /// The open lock file; -1 if the folder cannot be locked.
    private let lock: Int32

    private var blobs: BlobFolder { BlobFolder(root: root) }

    private init(root: Folder, lock: Int32) {
        self.root = root
        self.lock = lock
    }

    deinit { if lock >= 0 { close(lock) } }

    /// Opens a folder for a new backup; creates it if it is missing.
    /// - Throws: ``FeedError`` `.conflict` if another process uses it, or if it contains something else; `.storage` if
    ///   it cannot be written.
    package static func claim(_ path: String) throws -> BackupFolder {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let root = try Folder(path)
            try refuseOthersFiles(root)
            let folder = BackupFolder(root: root, lock: try root.openLockFile(lockName))
            guard flock(folder.lock, LOCK_EX | LOCK_NB) == 0 else { throw isInUse(path) }
            try folder.blobs.create()
            try folder.removeIncomplete()
            return folder
        } catch let error as FolderError {
            throw unwritable(path, error)
        } catch let error as CocoaError {
            throw unwritable(path, error)
        }
    }

    /// Opens a folder for reading, which may be on a read-only file system.
    /// - Throws: ``FeedError`` `.notFound`, or `.conflict` while a backup is running.
    package static func open(_ path: String) throws -> BackupFolder {
        guard let root = try? Folder(path) else {
            throw FeedError(
                .notFound, "the folder \(path) does not exist", hint: "Specify the folder that feedserver backup wrote."
            )
        }
        let folder = BackupFolder(root: root, lock: (try? root.openFile(lockName)) ?? -1)
        if folder.lock >= 0, flock(folder.lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { throw isInUse(path) }
        return folder
    }

    private static func isInUse(_ path: String) -> FeedError {
        FeedError(.conflict, "another process is using \(path)", hint: "Wait until it has finished.")
    }

    private static func unwritable(_ path: String, _ cause: any Error) -> FeedError {
        if let cause = cause as? FolderError, cause.isLink {
            return FeedError(
                .conflict, cause.description, hint: "A backup writes only to real folders and files. Remove the link.",
                cause: cause)
        }
        return FeedError(
            .storage, "cannot write to the folder \(path)",
            hint: "Choose a folder that you may write to, with free space.", cause: cause)
    }

    private static func refuseOthersFiles(_ root: Folder) throws {
        let names = Set(try contents(root)).subtracting(ignored)
        let isBackup = names.contains(lockName) || names.contains { BackupName(manifestFile: $0) != nil }
        guard names.isEmpty || isBackup else {
            throw FeedError(
                .conflict, "\(root.path) contains other files", hint: "Choose an empty folder or one with backups.")
        }
    }

    fileprivate static func contents(_ folder: Folder) throws(FeedError) -> [String] {
        do {
            return try folder.names()
        } catch {
            throw FeedError(
                .storage, "cannot read the folder \(folder.path)", hint: "Check its permissions.", cause: error)
        }
    }

    fileprivate func temporary() throws(FeedError) -> Folder {
        do { return try root.folder(Self.temporaryName, creating: true) } catch {
            throw Self.unwritable(root.path, error)
        }
    }
}

extension BackupFolder {
    /// All complete backups, oldest first, and the reasons why others are ignored.
    package func manifests() throws -> (found: [BackupManifest], problems: [FeedError]) {
        var result: (found: [BackupManifest], problems: [FeedError]) = ([], [])
        for name in try Self.contents(root).compactMap(BackupName.init(manifestFile:)).sorted() {
            do {
                result.found.append(try BackupManifest.parse(try read(name.manifestFile), name: name))
            } catch {
                result.problems.append(error)
            }
        }
        return result
    }

    /// The names of all backups, including those with an unreadable manifest.
    package func names() throws -> Set<BackupName> {
        Set(try Self.contents(root).compactMap { BackupName(manifestFile: $0) ?? BackupName(databaseFile: $0) })
    }

    /// Creates a folder for the files of a new backup, in which nobody else has placed anything.
    package func stage() throws -> Folder {
        let temporary = try temporary()
        do { return try temporary.newFolder(TemporaryBlobName.make()) } catch { throw BlobError.failed(error) }
    }

    /// Adds a backup. It becomes complete when its manifest gets its name.
    /// - Parameter staging: The folder with the synced database.
    package func add(_ name: BackupName, from staging: Folder, manifest: BackupManifest) throws {
        try HashedFile.move(name.databaseFile, from: staging, to: name.databaseFile, in: root)
        try HashedFile.write(manifest.encoded(), to: name.manifestFile, in: root, through: staging)
    }

    /// Opens the database of a backup.
    /// - Returns: A descriptor, which the caller closes.
    /// - Throws: ``FeedError`` `.forbidden` if this user may not read it.
    package func openDatabase(_ name: BackupName) throws(FeedError) -> Int32 { try openFile(name.databaseFile) }

    private func openFile(_ file: String) throws(FeedError) -> Int32 {
        do { return try root.openFile(file) } catch {
            guard error.code == EACCES else { throw BlobError.failed(error) }
            throw FeedError(
                .forbidden, "this user may not read \(root.path(file))",
                hint: "Run the command as the owner of the backups.", cause: error)
        }
    }

    /// Reads blobs completely and compares their content with their hashes.
    /// - Parameter advance: Called with the size of each chunk in bytes.
    /// - Returns: The states in the order of `blobs`.
    package func check(
        _ blobs: [BlobReference], threads: NIOThreadPool, advance: @escaping @Sendable (Int64) -> Void
    ) async throws -> [BlobState] {
        try await threads.inParallel(blobs) { [folder = self.blobs] in folder.check($0, advance) }
    }

    /// Removes a backup but not its blobs. It is incomplete before its database is removed.
    package func remove(_ name: BackupName) throws {
        do {
            for file in [name.manifestFile, name.databaseFile] {
                try root.removeFile(file)
                try root.sync()
            }
        } catch {
            throw BlobError.failed(error)
        }
    }

    /// Removes the blobs whose first byte is `prefix`, except those in `used`.
    /// - Returns: The sizes of the removed blobs in bytes.
    package func removeBlobs(prefix: UInt8, except used: Set<BlobHash>) -> [Int64] {
        blobs.list(prefix: prefix).filter { !used.contains($0) }.compactMap { blobs.remove($0) }
    }

    /// Removes the remains of failed and interrupted backups, except blobs, which the next backup reuses. Whatever has
    /// another name than ours is left alone.
    package func removeIncomplete() throws {
        let temporary = try temporary()
        for name in try Self.contents(temporary) where TemporaryBlobName.holder(of: name) == name {
            try? temporary.removeTree(name)
        }
        let names = Set(try Self.contents(root))
        for name in names.compactMap(BackupName.init(databaseFile:)) where !names.contains(name.manifestFile) {
            try remove(name)
        }
    }

    private func read(_ file: String) throws(FeedError) -> Data {
        let unusable = FeedError.malformed("\(file) cannot be read or is too large")
        guard let size = root.size(ofFile: file), size <= Int64(BackupManifest.maximumBytes) else { throw unusable }
        let opened: Int32
        do { opened = try openFile(file) } catch { throw error.kind == .forbidden ? error : unusable }
        guard let data = try? FileHandle(fileDescriptor: opened, closeOnDealloc: true).readToEnd() else {
            throw unusable
        }
        return data
    }
}
