import FeedCore
import FeedFolders
import Foundation
import GRDB

/// The database file of a data folder, protected from other users of the machine, regardless of the umask and the mode
/// of the folder.
enum SQLiteFile {
    /// Refuses a database file, or a file of SQLite beside it, that is a link: it may lead anywhere.
    /// - Throws: ``FeedError`` `.storage`.
    static func refuseLinks(in folder: Folder) throws(FeedError) {
        for name in SQLiteDatabase.fileNames {
            guard let status = folder.status(name), status.st_mode & S_IFMT != S_IFREG else { continue }
            throw .unwritable(folder, FolderError(call: "open", path: folder.path(name), code: EINVAL, isLink: true))
        }
    }

    /// Creates an empty database file if it is missing. SQLite would apply the umask; it gives `-wal` and `-shm` the
    /// mode of this file.
    static func create(_ name: String = SQLiteDatabase.fileName, in folder: Folder) throws {
        // Opens only a new file, because closing a file in use would release SQLite's locks on it.
        do {
            close(try folder.createFile(name))
        } catch {
            guard error.code != EEXIST else { return }
            throw DatabaseError(resultCode: error.code == ENOSPC ? .SQLITE_FULL : .SQLITE_CANTOPEN)
        }
    }

    /// Removes other users' permissions from an existing database, where the file system supports them.
    /// - Throws: ``FeedError`` `.storage` if it belongs to another user.
    static func restrictAccess(in folder: Folder) throws {
        for name in SQLiteDatabase.fileNames {
            guard let status = folder.status(name), status.st_mode & 0o077 != 0 else { continue }
            let isDone =
                fchmodat(folder.descriptor, name, 0o600, AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT
            guard isDone || status.st_uid == geteuid() else {
                throw FeedError(
                    .storage, "other users can read \(folder.path(name)), and it belongs to another user",
                    hint: "Give it to the user of feedserver, or choose another folder with --data DIR.")
            }
        }
    }
}
