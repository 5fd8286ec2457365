import FeedCore
import Foundation
import GRDB

/// Keeps what is stored from the machine's other users, whatever the umask and the folder are.
enum PrivateFiles {
    /// Makes an empty database where there is none. SQLite would go by the umask, and gives `-wal` and `-shm` the mode of
    /// this file.
    static func create(_ path: String) throws {
        // Only a new file: closing one that is in use would take away the locks SQLite has on it.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return }
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        defer { close(file) }
        // It is ours, so a refusal means a file system without modes.
        guard fchmod(file, 0o600) == 0 || errno == EPERM else { throw DatabaseError(resultCode: .SQLITE_PERM) }
    }

    /// Takes away from a database that is there what others may do with it, where the file system has such modes.
    /// - Throws: ``FeedError`` `.storage` when it belongs to somebody else.
    static func narrow(_ path: String) throws {
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            let isDone = chmod(name, 0o600) == 0 || errno == ENOENT
            guard isDone || status.st_uid == geteuid() else {
                throw FeedError(
                    .storage, "others can read \(name), and it belongs to somebody else",
                    hint: "Give it to the user that runs feedserver, or choose another folder with --data DIR.")
            }
        }
    }
}
