import FeedCore
import FeedFolders
import Foundation
import Synchronization

/// Allows only one import into a folder at a time, and none during a repair of what imports count. The kernel releases
/// the lock when the process ends.
final class ImportLock: ImportLocking {
    static let fileName = SQLiteEngine.fileName + ".import-lock"

    private let descriptor: Mutex<Int32?>

    /// - Throws: ``FeedError`` `.conflict` if an import or a check holds the lock.
    init(folder: Folder) throws {
        let file: Int32
        do { file = try folder.openLockFile(Self.fileName) } catch { throw FeedError.unwritable(folder, error) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw FeedError(
                .conflict, "an import or a check is running on this folder", hint: "Wait until it has finished.")
        }
        descriptor = Mutex(file)
    }

    func release() {
        descriptor.withLock { file in
            guard let open = file else { return }
            // Closing is not enough while a process that is just being started has inherited the descriptor.
            flock(open, LOCK_UN)
            close(open)
            file = nil
        }
    }

    deinit { release() }
}
