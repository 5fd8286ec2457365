import FeedCore
import Foundation
import Synchronization

/// Allows only one import into a folder at a time, and none during a repair of what imports count. The kernel releases
/// the lock when the process ends.
final class ImportLock: ImportLocking {
    private let descriptor: Mutex<Int32?>

    /// - Throws: ``FeedError`` `.conflict` if an import or a check holds the lock.
    init(path: String) throws {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw FeedError(.storage, "cannot write beside the database", hint: "Check the owner of the folder.")
        }
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
