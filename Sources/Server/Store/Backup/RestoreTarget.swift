package import FeedCore
import Foundation

/// A data folder that is being filled. As long as it contains the folder `restoring`, it is incomplete: no other command
/// opens it, and the next restore starts over.
package final class RestoreTarget: Sendable {
    private static let stagingName = "restoring"
    private static let idName = "id"
    /// Files that may be in an empty folder.
    private static let ignored: Set<String> = [FolderLock.fileName, ServingLock.fileName, "lost+found"]

    package let folder: String
    /// The folder for the database until it is complete.
    package var staging: String { folder + "/" + Self.stagingName }
    /// Whether an earlier restore was interrupted.
    package let isResumed: Bool
    /// Identifies this restore across interruptions.
    package let id: String
    private let lock: FolderLock

    /// Locks and marks an empty folder, or one whose restore was interrupted; creates the folder if it is missing.
    /// - Throws: ``FeedError`` `.conflict` if the folder is not empty or in use.
    package init(folder: String) throws {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FeedError(
                .storage, "cannot create the data folder \(folder)",
                hint: "Choose a folder you may write to with --data DIR.", cause: error)
        }
        // Checked before the lock file is created, in case the folder belongs to another program, and again under the
        // lock.
        _ = try Self.inspect(folder)
        lock = try FolderLock(alone: folder)
        isResumed = try Self.inspect(folder)
        id = try Self.mark(folder)
        try removeDatabase()
    }

    /// - Throws: ``FeedError`` `.conflict` if a restore into the folder was interrupted.
    package static func refuseIncomplete(_ folder: String) throws(FeedError) {
        guard access(folder + "/" + stagingName, F_OK) == 0 else { return }
        throw FeedError(
            .conflict, "a restore into \(folder) has not been completed",
            hint: "Run the same feedserver restore command again; it continues where it stopped.")
    }

    /// - Returns: Whether a restore was interrupted.
    private static func inspect(_ folder: String) throws -> Bool {
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(ignored)
        guard !names.contains(stagingName) else { return true }
        guard names.isEmpty else {
            throw FeedError(
                .conflict, "\(folder) is not empty", hint: "Choose an empty or new folder with --data DIR.")
        }
        return false
    }

    /// - Returns: The id of the restore.
    private static func mark(_ folder: String) throws -> String {
        let staging = folder + "/" + stagingName
        guard mkdir(staging, 0o700) == 0 || errno == EEXIST else { throw failed("mkdir") }
        chmod(staging, 0o700)
        try sync(folder)
        if let known = try? String(contentsOfFile: staging + "/" + idName, encoding: .utf8),
            UUID(uuidString: known) != nil
        {
            return known
        }
        let id = UUID().uuidString
        do {
            try Data(id.utf8).write(to: URL(fileURLWithPath: staging + "/" + idName), options: .atomic)
        } catch {
            throw failed("write", error)
        }
        return id
    }

    /// Removes the remains of an interrupted restore, except blobs, which are complete once they have their names.
    private func removeDatabase() throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: staging) where name != Self.idName {
            try manager.removeItem(atPath: staging + "/" + name)
        }
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(folder + "/" + SQLiteEngine.fileName + suffix) }
    }

    /// The path of the staged database.
    package var stagedDatabase: String { staging + "/" + SQLiteEngine.fileName }

    /// Moves the staged database, which must be closed, to its final place.
    /// - Throws: ``FeedError`` `.storage`.
    package func moveDatabaseIntoPlace() throws {
        guard SQLiteEngine.isCheckpointed(stagedDatabase) else {
            throw FeedError(.storage, "the restored database is still in use", hint: "Run the command again.")
        }
        let target = folder + "/" + SQLiteEngine.fileName
        guard rename(stagedDatabase, target) == 0 else { throw Self.failed("rename") }
        try Self.sync(folder)
    }

    /// Removes the mark. The folder can be used from then on.
    package func finish() throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: staging) where name != Self.idName {
            try manager.removeItem(atPath: staging + "/" + name)
        }
        try manager.removeItem(atPath: staging)
        try Self.sync(folder)
        lock.release()
    }

    private static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw failed("fsync") }
    }

    private static func failed(_ call: String, _ cause: (any Error)? = nil) -> FeedError {
        let code = errno
        let cause = cause ?? POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        if code == ENOSPC || (cause as? CocoaError)?.code == .fileWriteOutOfSpace { return .diskFull(cause) }
        return FeedError(.storage, "cannot write to the data folder (\(call))", hint: "Check the disk.", cause: cause)
    }
}
