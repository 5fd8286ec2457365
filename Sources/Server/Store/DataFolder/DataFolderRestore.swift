package import FeedCore
package import FeedFolders
import Foundation

/// The restore of a data folder. As long as this contains the folder `restoring`, it is incomplete: no other command
/// opens it, and the next restore starts over.
package final class DataFolderRestore: Sendable {
    private static let stagingName = "restoring"
    private static let idName = "id"
    /// Files that may be in an empty folder.
    private static let ignored: Set<String> = [DataFolderLock.fileName, ServingLock.fileName, "lost+found"]

    package let root: Folder
    /// The folder for the database until it is complete.
    package let staging: Folder
    /// Whether an earlier restore was interrupted.
    package let isResumed: Bool
    /// Identifies this restore across interruptions.
    package let id: String
    private let lock: DataFolderLock

    /// Locks and marks an empty folder, or one whose restore was interrupted; creates the folder if it is missing.
    /// - Throws: ``FeedError`` `.conflict` if the folder is not empty or in use.
    package init(folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            root = try Folder(folder)
        } catch {
            throw FeedError(
                .storage, "cannot create the data folder \(folder)",
                hint: "Choose a folder you may write to with --data DIR.", cause: error)
        }
        // Checked before the lock file is created, in case the folder belongs to another program, and again under the
        // lock.
        _ = try Self.inspect(root)
        lock = try DataFolderLock(alone: root)
        isResumed = try Self.inspect(root)
        do {
            staging = try root.folder(Self.stagingName, creating: true)
            try root.sync()
            id = try Self.mark(staging)
            try Self.removeDatabase(from: root, staging)
        } catch {
            throw Self.failed(error)
        }
    }

    /// - Throws: ``FeedError`` `.conflict` if a restore into the folder was interrupted.
    package static func refuseIncomplete(_ folder: String) throws(FeedError) {
        guard access(folder + "/" + stagingName, F_OK) == 0 else { return }
        throw FeedError(
            .conflict, "a restore into \(folder) has not been completed",
            hint: "Run the same feedserver restore command again; it continues where it stopped.")
    }

    /// - Returns: Whether a restore was interrupted.
    private static func inspect(_ root: Folder) throws -> Bool {
        let names = Set(try root.names()).subtracting(ignored)
        if let status = root.status(stagingName), status.st_mode & S_IFMT == S_IFDIR { return true }
        guard names.isEmpty else {
            throw FeedError(
                .conflict, "\(root.path) is not empty",
                hint: "Move it aside first, or choose an empty or new folder with --data DIR.")
        }
        return false
    }

    /// - Returns: The id of the restore.
    private static func mark(_ staging: Folder) throws(FolderError) -> String {
        if let file = try? staging.openFile(idName),
            let text = try? FileHandle(fileDescriptor: file, closeOnDealloc: true).read(upToCount: 64),
            let id = UUID(uuidString: String(decoding: text, as: UTF8.self))
        {
            return id.uuidString
        }
        let (id, unfinished) = (UUID().uuidString, idName + ".new")
        try staging.removeFile(unfinished)
        let file = try staging.createFile(unfinished)
        defer { close(file) }
        let bytes = Array(id.utf8)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw FolderError(call: "write", path: staging.path(idName), code: errno)
        }
        try staging.rename(unfinished, to: idName, in: staging)
        return id
    }

    /// Removes the remains of an interrupted restore, except blobs, which are complete once they have their names.
    private static func removeDatabase(from root: Folder, _ staging: Folder) throws(FolderError) {
        for name in try staging.names() where SQLiteDatabase.isOwnFile(name) { try staging.removeFile(name) }
        for name in SQLiteDatabase.fileNames { try root.removeFile(name) }
    }

    /// The path of the staged database.
    package var stagedDatabase: String { staging.path(SQLiteDatabase.fileName) }

    /// Moves the staged database, which must be closed, to its final place.
    /// - Throws: ``FeedError`` `.storage`.
    package func moveDatabaseIntoPlace() throws {
        guard SQLiteDatabase.isCheckpointed(stagedDatabase) else {
            throw FeedError(.storage, "the restored database is still in use", hint: "Run the command again.")
        }
        do {
            try staging.rename(SQLiteDatabase.fileName, to: SQLiteDatabase.fileName, in: root)
            try root.sync()
        } catch {
            throw Self.failed(error)
        }
    }

    /// Removes the mark. The folder can be used from then on.
    package func finish() throws {
        do {
            for name in try staging.names() where SQLiteDatabase.isOwnFile(name) { try staging.removeFile(name) }
            try staging.removeFile(Self.idName)
            try root.removeFolder(Self.stagingName)
            try root.sync()
        } catch {
            throw Self.failed(error)
        }
        lock.release()
    }

    private static func failed(_ cause: FolderError) -> FeedError {
        if cause.code == ENOSPC { return .diskFull(cause) }
        return FeedError(
            .storage, "cannot write to the data folder (\(cause.call))",
            hint: cause.isLink ? "\(cause.path) is a symbolic link. Remove it." : "Check the disk.", cause: cause)
    }
}

extension FeedDatabase {
    /// The key of the setting that identifies the restore from which the feed came.
    private static let restoreKey = "restored"

    /// Prepares a restored feed: clients must not continue at positions of the change log that they have from the time
    /// after the backup.
    /// - Parameter id: The id of the restore.
    package func finishRestoring(_ id: String) async throws {
        let epoch = UUID().uuidString.lowercased()
        let sequence = try await commits.write { db in
            try Self.setMeta("epoch", epoch, in: db)
            try Self.setMeta(Self.restoreKey, id, in: db)
            try SearchIndexing.restart(in: db)
            return try db.lastChange()
        }
        log.restart(epoch: epoch, at: sequence)
    }

    /// Whether the feed is the complete result of a restore.
    /// - Parameter id: The id of the restore.
    package func isRestored(by id: String) async throws -> Bool { try await meta(Self.restoreKey) == id }
}
