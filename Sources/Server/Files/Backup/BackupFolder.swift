package import FeedCore
import Foundation

/// A folder with backups. Each consists of a database and a manifest; all share the folder `blobs`. A backup without a
/// manifest is incomplete.
package final class BackupFolder: Sendable {
    private static let lockName = "backup.lock"
    /// Files that may be in an empty folder: the root of a file system contains one.
    private static let ignored: Set<String> = ["lost+found"]

    package let path: String
    /// The open lock file; -1 if the folder cannot be locked.
    private let lock: Int32

    package var temporaryFolder: String { path + "/tmp" }

    private init(path: String, lock: Int32) {
        self.path = path
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
        } catch {
            throw unwritable(path, error)
        }
        try refuseOthersFiles(path)
        let lock = Foundation.open(path + "/" + lockName, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw unwritable(path, SystemCallError(call: "open", code: errno)) }
        let folder = BackupFolder(path: path, lock: lock)
        fchmod(lock, 0o600)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw isInUse(path) }
        for name in [folder.temporaryFolder, path + "/blobs"] where mkdir(name, 0o700) != 0 && errno != EEXIST {
            throw BlobError.failed("mkdir", errno)
        }
        try folder.removeIncomplete()
        return folder
    }

    /// Opens a folder for reading, which may be on a read-only file system.
    /// - Throws: ``FeedError`` `.notFound`, or `.conflict` while a backup is running.
    package static func open(_ path: String) throws -> BackupFolder {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw FeedError(
                .notFound, "the folder \(path) does not exist", hint: "Specify the folder that feedserver backup wrote."
            )
        }
        let folder = BackupFolder(path: path, lock: Foundation.open(path + "/" + lockName, O_RDONLY | O_CLOEXEC))
        if folder.lock >= 0, flock(folder.lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { throw isInUse(path) }
        return folder
    }

    private static func isInUse(_ path: String) -> FeedError {
        FeedError(.conflict, "another process is using \(path)", hint: "Wait until it has finished.")
    }

    private static func unwritable(_ path: String, _ cause: any Error) -> FeedError {
        FeedError(
            .storage, "cannot write to the folder \(path)",
            hint: "Choose a folder that you may write to, with free space.", cause: cause)
    }

    private static func refuseOthersFiles(_ path: String) throws {
        let names = Set(try contents(path)).subtracting(ignored)
        let isBackup = names.contains(lockName) || names.contains { BackupName(manifestFile: $0) != nil }
        guard names.isEmpty || isBackup else {
            throw FeedError(
                .conflict, "\(path) contains other files", hint: "Choose an empty folder or one with backups.")
        }
    }

    fileprivate static func contents(_ path: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw FeedError(.storage, "cannot read the folder \(path)", hint: "Check its permissions.", cause: error)
        }
    }
}

extension BackupFolder {
    /// All complete backups, oldest first, and the reasons why others are ignored.
    package func manifests() throws -> (found: [BackupManifest], problems: [FeedError]) {
        var result: (found: [BackupManifest], problems: [FeedError]) = ([], [])
        for name in try Self.contents(path).compactMap(BackupName.init(manifestFile:)).sorted() {
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
        Set(try Self.contents(path).compactMap { BackupName(manifestFile: $0) ?? BackupName(databaseFile: $0) })
    }

    /// Adds a backup. It becomes complete when its manifest gets its name.
    /// - Parameter database: The path of the synced database in ``temporaryFolder``.
    package func add(_ name: BackupName, database: String, manifest: BackupManifest) throws {
        try HashedFile.move(database, to: path + "/" + name.databaseFile)
        try HashedFile.write(
            manifest.encoded(), to: path + "/" + name.manifestFile,
            through: temporaryFolder + "/" + name.manifestFile)
    }

    /// Removes a backup but not its blobs. It is incomplete before its database is removed.
    package func remove(_ name: BackupName) throws {
        for file in [name.manifestFile, name.databaseFile] {
            guard unlink(path + "/" + file) == 0 || errno == ENOENT else { throw BlobError.failed("unlink", errno) }
            try BlobWriter.sync(folder: path)
        }
    }

    /// Removes the blobs whose first byte is `prefix`, except those in `used`.
    /// - Returns: The sizes of the removed blobs in bytes.
    package func removeBlobs(prefix: UInt8, except used: Set<String>) -> [Int64] {
        BlobStore.list(prefix: prefix, in: path).filter { !used.contains($0) }.compactMap { hash in
            let blob = BlobStore.path(hash, in: path)
            let size = HashedFile.size(blob)
            return unlink(blob) == 0 ? size : nil
        }
    }

    /// Removes the remains of failed and interrupted backups, except blobs, which the next backup reuses.
    package func removeIncomplete() throws {
        for name in try Self.contents(temporaryFolder) {
            try? FileManager.default.removeItem(atPath: temporaryFolder + "/" + name)
        }
        let names = Set(try Self.contents(path))
        for name in names.compactMap(BackupName.init(databaseFile:)) where !names.contains(name.manifestFile) {
            try remove(name)
        }
    }

    private func read(_ file: String) throws(FeedError) -> Data {
        guard let size = HashedFile.size(path + "/" + file), size <= Int64(BackupManifest.maximumBytes),
            let data = FileManager.default.contents(atPath: path + "/" + file)
        else { throw .malformed("\(file) cannot be read or is too large") }
        return data
    }
}
