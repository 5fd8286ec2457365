import FeedCore
import FeedFolders
import Foundation
import Synchronization

/// The lock of the process that serves a data folder. Other commands may use the folder meanwhile. The kernel releases
/// it when the process ends.
package final class ServingLock: Sendable {
    static let fileName = "serve.lock"
    /// Attempts at the lock, 50 ms apart: ``owner(of:)`` holds it for a moment.
    private static let attempts = 10

    private let descriptor: Mutex<Int32?>

    /// - Throws: ``FeedError`` `.conflict` if another process serves the folder.
    init(folder: Folder) throws(FeedError) {
        let file: Int32
        do { file = try folder.openLockFile(Self.fileName) } catch { throw .unwritable(folder, error) }
        descriptor = Mutex(file)
        guard Self.lock(file) else {
            let process = Self.owner(file).map { "process \($0)" } ?? "another process"
            throw FeedError(
                .conflict, "\(folder.path) is already being served by \(process)",
                hint: "Stop it first, or choose another folder with --data DIR.")
        }
        Self.write(getpid(), to: file)
    }

    /// The process that serves a folder; `nil` if the folder is not served, or the process is unknown.
    package static func owner(of folder: String) -> Int32? {
        guard let file = try? Folder(folder).openFile(fileName) else { return nil }
        defer { close(file) }
        // A shared lock is granted at once unless a server holds the exclusive one.
        guard flock(file, LOCK_SH | LOCK_NB) != 0 else { return nil }
        return owner(file)
    }

    private static func lock(_ file: Int32) -> Bool {
        for _ in 1..<attempts {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(50_000)
        }
        return flock(file, LOCK_EX | LOCK_NB) == 0
    }

    private static func owner(_ file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).prefix { $0.isNumber })
    }

    private static func write(_ process: Int32, to file: Int32) {
        let text = Array("\(process)\n".utf8)
        ftruncate(file, 0)
        pwrite(file, text, text.count, 0)
    }

    func release() {
        descriptor.withLock { file in
            if let open = file { close(open) }
            file = nil
        }
    }

    deinit { release() }
}
