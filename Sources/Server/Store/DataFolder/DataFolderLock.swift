import FeedCore
import FeedFolders
import Foundation
import Synchronization

/// The lock of a data folder. Every process that has the database open shares it; a migration holds it exclusively,
/// since an older server must not write to a schema it does not support. The kernel releases it when the process ends.
final class DataFolderLock: Sendable {
    static let fileName = "feed.lock"
    /// Attempts at a lock, 100 ms apart: another process may be opening the same new folder.
    private static let attempts = 50

    private let descriptor: Mutex<Int32?>

    /// - Throws: ``FeedError`` `.conflict` while another process uses the folder alone: for a migration, a restore, a
    ///   vacuum or a repair.
    init(folder: Folder) throws {
        descriptor = Mutex(try Self.open(folder))
        guard attempt(LOCK_SH) else { throw Self.isInUse(folder.path) }
    }

    /// Locks the folder for this process alone until ``release()``.
    /// - Throws: ``FeedError`` `.conflict` while another process uses the folder.
    init(alone folder: Folder) throws {
        descriptor = Mutex(try Self.open(folder))
        guard set(LOCK_EX | LOCK_NB) else { throw Self.isInUse(folder.path) }
    }

    private static func isInUse(_ folder: String) -> FeedError {
        FeedError(
            .conflict, "another process is using the data folder \(folder)",
            hint: "Wait until it has finished, or stop it.")
    }

    private static func open(_ folder: Folder) throws(FeedError) -> Int32 {
        do { return try folder.openLockFile(fileName) } catch { throw .unwritable(folder, error) }
    }

    /// Holds the lock exclusively while `body` runs.
    /// - Parameter refusal: The error message if another process uses the folder.
    /// - Throws: ``FeedError`` `.conflict` while another process uses the folder.
    func exclusively<Value>(
        _ refusal: String, hint: String = "Stop the running feedserver, then start this one again.",
        _ body: () throws -> Value
    ) throws -> Value {
        defer { _ = set(LOCK_SH) }
        guard attempt(LOCK_EX) else { throw FeedError(.conflict, refusal, hint: hint) }
        return try body()
    }

    private func attempt(_ operation: Int32) -> Bool {
        for _ in 1..<Self.attempts {
            if set(operation | LOCK_NB) { return true }
            usleep(100_000)
        }
        return set(operation | LOCK_NB)
    }

    private func set(_ operation: Int32) -> Bool {
        descriptor.withLock { $0.map { flock($0, operation) == 0 } ?? false }
    }

    func release() {
        descriptor.withLock { file in
            if let open = file { close(open) }
            file = nil
        }
    }

    deinit { release() }
}

extension FeedError {
    /// A data folder in which a file cannot be opened or created.
    static func unwritable(_ folder: Folder, _ cause: FolderError) -> FeedError {
        if cause.isLink {
            return FeedError(
                .storage, cause.description, hint: "Link the whole data folder instead, or mount a disk there.",
                cause: cause)
        }
        return FeedError(
            .storage, "cannot write to the data folder \(folder.path)",
            hint: "Change its owner, or choose another with --data DIR.", cause: cause)
    }
}

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
