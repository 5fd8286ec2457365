import FeedCore
import Foundation
import GRDB

/// Keeps stored data from the machine's other users, whatever the umask and the folder's mode.
enum PrivateFiles {
    /// Creates an empty database file if there is none. SQLite would apply the umask, and gives `-wal` and `-shm` the
    /// mode of this file.
    static func create(_ path: String) throws {
        // Only a new file: closing a file in use would release SQLite's locks on it.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return }
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        defer { close(file) }
        // The file is new and ours, so EPERM means a file system without modes.
        guard fchmod(file, 0o600) == 0 || errno == EPERM else { throw DatabaseError(resultCode: .SQLITE_PERM) }
    }

    /// Removes other users' permissions from an existing database, where the file system supports them.
    /// - Throws: ``FeedError`` `.storage` if it belongs to another user.
    static func narrow(_ path: String) throws {
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
