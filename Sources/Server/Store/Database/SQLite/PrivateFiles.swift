import FeedCore
import Foundation
import GRDB

/// Protects stored data from other users of the machine, regardless of the umask and the mode of the folder.
enum PrivateFiles {
    /// Creates an empty database file if it is missing. SQLite would apply the umask; it gives `-wal` and `-shm` the
    /// mode of this file.
    static func create(_ path: String) throws {
        // Opens only a new file, because closing a file in use would release SQLite's locks on it.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return }
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        defer { close(file) }
        // This process has just created the file, so EPERM means that the file system has no modes.
        guard fchmod(file, 0o600) == 0 || errno == EPERM else { throw DatabaseError(resultCode: .SQLITE_PERM) }
    }

    /// Removes other users' permissions from an existing database, where the file system supports them.
    /// - Throws: ``FeedError`` `.storage` if it belongs to another user.
    static func restrictAccess(_ path: String) throws {
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            let isDone = chmod(name, 0o600) == 0 || errno == ENOENT
            guard isDone || status.st_uid == geteuid() else {
                throw FeedError(
                    .storage, "other users can read \(name), and it belongs to another user",
                    hint: "Give it to the user of feedserver, or choose another folder with --data DIR.")
            }
        }
    }
}
