import Foundation
import Synchronization

/// A temporary folder, deleted on deinitialization.
package final class TemporaryFolder: Sendable {
    package let path: String
    private let deletions = Mutex<[@Sendable () -> Void]>([])

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/feed-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Calls `body` when the folder is deleted.
    package func onDeletion(_ body: @escaping @Sendable () -> Void) { deletions.withLock { $0.append(body) } }

    deinit {
        for body in deletions.withLock({ $0 }) { body() }
        // A database that is still closing creates and removes files, which makes a removal fail.
        for _ in 0..<100 where (try? FileManager.default.removeItem(atPath: path)) == nil {
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(20_000)
        }
    }

    /// The path of a file in the folder, written with `content` if given.
    package func file(_ name: String, _ content: String? = nil) throws -> String {
        let file = path + "/" + name
        if let content { try Data(content.utf8).write(to: URL(fileURLWithPath: file)) }
        return file
    }
}
