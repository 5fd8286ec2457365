import FeedFolders
import Foundation
import GRDB
import Synchronization

/// A database file whose contents can be fetched again, so that a damaged one is replaced by an empty one. Several
/// processes may use the file at once, and it may be deleted at any time.
///
/// SQLite reports a disk that fails for a moment like a damaged file. Therefore, the file is reopened after such an
/// error, and discarded only if it is damaged again.
final class ReplaceableDatabase: Sendable {
    private struct State {
        var queue: DatabaseQueue?
        var isClosed = false
    }

    /// The file, and those that SQLite keeps beside it.
    private static let suffixes = ["", "-journal", "-wal", "-shm"]
    /// Held while a file is created: closing it would release the locks of a connection that has opened it meanwhile.
    private static let creation = Mutex(())

    let path: String
    private let folder: String
    private let name: String
    private let busyTimeout: TimeInterval
    private let isCheckedWhenOpened: Bool
    private let prepare: @Sendable (DatabaseQueue) throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: The folder of the file, which is created if it does not exist.
    ///   - name: The name of the file.
    ///   - busyTimeout: How long one process waits for another, in seconds.
    ///   - isCheckedWhenOpened: Whether `prepare` notices all damage. Otherwise, a file is also replaced if work throws an
    ///     error that indicates damage twice.
    ///   - prepare: Creates or checks the tables. A file for which it throws an error that indicates damage twice is
    ///     replaced.
    init(
        folder: String, name: String, busyTimeout: TimeInterval, isCheckedWhenOpened: Bool,
        prepare: @escaping @Sendable (DatabaseQueue) throws -> Void
    ) {
        (self.folder, self.name) = (folder, name)
        self.busyTimeout = busyTimeout
        self.isCheckedWhenOpened = isCheckedWhenOpened
        self.prepare = prepare
        path = folder + "/" + name
    }

    /// Opens the file, so that an error is noticed before the first work.
    /// - Throws: `DatabaseError`, ``FeedClientError`` `.disk`.
    func open() throws { _ = try current() }

    /// Repeats the work after an error that may be due to a damaged or deleted file: first with the file reopened, and
    /// then with a new file, if this one is damaged.
    /// - Throws: `DatabaseError`; ``FeedClientError`` `.disk`, or `.failed` after ``close()``; the errors of the work.
    func perform<Value: Sendable>(_ work: (DatabaseQueue) async throws -> Value) async throws -> Value {
        for mayDiscard in [false, true] {
            let queue = try current()
            do {
                return try await work(queue)
            } catch let error as DatabaseError where !Self.isTransient(error) {
                replace(queue, discarding: mayDiscard && !isCheckedWhenOpened && Self.isDamage(error))
            }
        }
        return try await work(try current())
    }

    func close() {
        let queue = state.withLock { state in
            state.isClosed = true
            defer { state.queue = nil }
            return state.queue
        }
        try? queue?.close()
    }

    private func current() throws -> DatabaseQueue {
        try state.withLock { state -> DatabaseQueue in
            if state.isClosed { throw FeedClientError(.failed, "\(path) is closed") }
            if let queue = state.queue { return queue }
            let opened = try openOrReplace()
            state.queue = opened
            return opened
        }
    }

    /// Opens the file, at the second attempt if the first one meets damage, and otherwise a new one.
    private func openOrReplace() throws -> DatabaseQueue {
        for _ in 0..<2 {
            do { return try openOnce() } catch let error as DatabaseError where Self.isDamage(error) {}
        }
        discard()
        return try openOnce()
    }

    private func openOnce() throws -> DatabaseQueue {
        try ClientFolders.create(folder)
        let opened = try openFolder()
        try refuseLinks(in: opened)
        try createFile(in: opened)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try prepare(queue)
        return queue
    }

    /// Closes the file, so that it is opened again.
    private func replace(_ failed: DatabaseQueue, discarding isDamaged: Bool) {
        state.withLock { state in
            guard state.queue === failed else { return }
            state.queue = nil
            if isDamaged { discard() }
        }
        try? failed.close()
    }

    /// Refuses files that are not regular ones: SQLite would follow a link to another program's database, which would be
    /// changed or discarded.
    /// - Throws: ``FeedClientError`` `.disk`.
    func refuseLinks() throws(FeedClientError) { try refuseLinks(in: openFolder()) }

    private func refuseLinks(in folder: Folder) throws(FeedClientError) {
        for name in Self.suffixes.map({ name + $0 }) {
            switch folder.type(name) {
            case nil, S_IFREG: continue
            case S_IFLNK: throw AtomicFile.symbolicLink(folder.path(name))
            default:
                throw FeedClientError(.disk, "\(folder.path(name)) is not a regular file", hint: "Move it elsewhere.")
            }
        }
    }

    /// Creates the file unless it exists. SQLite would apply the umask; it gives its other files the mode of this one.
    private func createFile(in folder: Folder) throws(FeedClientError) {
        try Self.creation.withLock { _ throws(FeedClientError) in
            guard folder.type(name) == nil else { return }
            do throws(FolderError) {
                Foundation.close(try folder.createFile(name))
            } catch {
                // Another process may have created it.
                guard error.code == EEXIST else { throw AtomicFile.failure("create", error) }
            }
        }
    }

    private func openFolder() throws(FeedClientError) -> Folder {
        do throws(FolderError) { return try Folder(folder) } catch { throw AtomicFile.failure("open", error) }
    }

    private func discard() { for suffix in Self.suffixes { unlink(path + suffix) } }

    /// Uses the rollback journal: the file can then be read even if the disk is full, and SQLite notices that it was
    /// deleted.
    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Errors that do not indicate a problem with the file.
    private static func isTransient(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT: true
        default: false
        }
    }

    /// Errors that recur until the file is replaced.
    private static func isDamage(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT: true
        default: false
        }
    }
}
