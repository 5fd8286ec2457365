import FeedFolders
import Foundation
import Synchronization

/// The file of an entry, locked so that no other process sends the post. The lock ends with this object, or with the
/// process. All methods block.
final class OutboxFile: Sendable {
    private let name: String
    private let folder: Folder
    private let descriptor: CInt
    private let calls: SystemCalls
    private let journal: Mutex<OutboxFileFormat>

    private var path: String { folder.path(name) }

    var entry: OutboxEntry { journal.withLock { $0.entry } }

    /// Opens and locks the file of an entry.
    /// - Returns: `nil` if there is no such entry, or its file cannot be understood.
    /// - Throws: ``FeedClientError`` `.disk`; `.tryLater` if another process has locked it.
    static func open(_ id: String, in folder: Folder, calls: SystemCalls) throws(FeedClientError) -> OutboxFile? {
        let name = name(id)
        let descriptor = calls.open(name, in: folder, O_RDWR)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw AtomicFile.failure("read", name, in: folder)
        }
        do throws(FeedClientError) {
            guard calls.lock(descriptor) == 0 else {
                guard errno == EWOULDBLOCK else { throw AtomicFile.failure("lock", name, in: folder) }
                throw Self.busy
            }
            // The previous holder of the lock may have removed the entry.
            if try isNamed(descriptor, name, folder, calls),
                let data = try read(descriptor, folder.path(name), calls), let journal = OutboxFileFormat(id: id, data)
            {
                return OutboxFile(name, folder, descriptor, journal, calls)
            }
            close(descriptor)
            return nil
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Stores a new entry durably. The file is locked before it has a name.
    /// - Returns: `nil` if there is an entry with the same id.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func create(
        _ entry: OutboxEntry, in folder: Folder, calls: SystemCalls
    ) throws(FeedClientError) -> OutboxFile? {
        let line = try OutboxFileFormat.line(entry)
        guard let journal = OutboxFileFormat(id: entry.id, line) else {
            throw FeedClientError(.failed, "The post cannot be encoded")
        }
        let name = name(entry.id)
        let temporary = TemporaryName.make(for: name)
        let descriptor = try AtomicFile.create(temporary, in: folder, calls: calls)
        let file = OutboxFile(name, folder, descriptor, journal, calls)
        do throws(FeedClientError) {
            guard calls.lock(descriptor) == 0 else { throw AtomicFile.failure("lock", temporary, in: folder) }
            try file.write(line, at: 0)
            guard calls.sync(descriptor) == 0 else { throw AtomicFile.failure("sync", temporary, in: folder) }
            guard calls.renameWithoutReplacing(temporary, to: name, in: folder) == 0 else {
                guard errno == EEXIST else { throw AtomicFile.failure("replace", name, in: folder) }
                _ = try? folder.removeFile(temporary)
                return nil
            }
        } catch {
            _ = try? folder.removeFile(temporary)
            throw error
        }
        do throws(FeedClientError) {
            try AtomicFile.sync(folder, calls: calls)
        } catch {
            // What has not been stored durably must not appear later. If it cannot be removed, it is in the outbox, and
            // must not be sent in any other way.
            if calls.remove(name, in: folder) == 0 { throw error }
        }
        return file
    }

    private init(
        _ name: String, _ folder: Folder, _ descriptor: CInt, _ journal: OutboxFileFormat, _ calls: SystemCalls
    ) {
        (self.name, self.folder, self.descriptor, self.calls) = (name, folder, descriptor, calls)
        self.journal = Mutex(journal)
    }

    deinit {
        unlock()
        close(descriptor)
    }

    /// Ends the lock, even while a process that is just being started holds a copy of the descriptor.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Makes a state durable.
    /// - Throws: ``FeedClientError`` `.disk`; the state may be durable nevertheless.
    func store(_ state: OutboxState) throws(FeedClientError) {
        let line = try OutboxFileFormat.line(state)
        let length = journal.withLock { $0.length }
        // Removes an incomplete line that a crash has left.
        guard calls.truncate(descriptor, to: Int64(length)) == 0 else { throw AtomicFile.failure("write", path) }
        try write(line, at: Int64(length))
        guard calls.syncData(descriptor) == 0 else { throw AtomicFile.failure("sync", path) }
        journal.withLock { journal in
            journal.entry.state = state
            journal.length += line.count
        }
    }

    /// Removes the entry durably.
    /// - Throws: ``FeedClientError`` `.disk`.
    func remove() throws(FeedClientError) {
        guard calls.remove(name, in: folder) == 0 else { throw AtomicFile.failure("remove", path) }
        try AtomicFile.sync(folder, calls: calls)
    }

    private func write(_ data: Data, at start: Int64) throws(FeedClientError) {
        var offset = 0
        while offset < data.count {
            let count = data.withUnsafeBytes { bytes in
                calls.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[offset...]), at: start + Int64(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AtomicFile.failure("write", path) }
            offset += count
        }
    }
}

extension OutboxFile {
    static var busy: FeedClientError {
        FeedClientError(
            .tryLater, "Another feedclient is sending this post", hint: "Wait until it has finished.")
    }

    /// The name of the file of an entry.
    static func name(_ id: String) -> String { id + ".post" }

    /// Reads an entry without locking it.
    /// - Returns: `nil` if there is no such entry.
    /// - Throws: ``FeedClientError`` `.disk`; `.integrity` if the file cannot be understood.
    static func entry(_ id: String, in folder: Folder, calls: SystemCalls) throws(FeedClientError) -> OutboxEntry? {
        let descriptor = calls.open(name(id), in: folder, O_RDONLY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw AtomicFile.failure("read", name(id), in: folder)
        }
        defer { close(descriptor) }
        let path = folder.path(name(id))
        guard let data = try read(descriptor, path, calls), let journal = OutboxFileFormat(id: id, data) else {
            throw FeedClientError(.integrity, "\(path) is damaged, or was written by another version")
        }
        return journal.entry
    }

    /// Whether an open file has a name.
    private static func isNamed(
        _ file: CInt, _ name: String, _ folder: Folder, _ calls: SystemCalls
    ) throws(FeedClientError) -> Bool {
        var (own, current) = (stat(), stat())
        guard calls.status(file, &own) == 0 else { throw AtomicFile.failure("read", name, in: folder) }
        guard calls.status(name, in: folder, &current) == 0 else {
            if errno == ENOENT { return false }
            throw AtomicFile.failure("read", name, in: folder)
        }
        return own.st_ino == current.st_ino && own.st_dev == current.st_dev && own.st_mode & S_IFMT == S_IFREG
    }

    /// - Returns: `nil` if the file is too large.
    private static func read(_ file: CInt, _ path: String, _ calls: SystemCalls) throws(FeedClientError) -> Data? {
        let data = try calls.contents(of: file, path, limit: OutboxFileFormat.maximumSize)
        return data.count <= OutboxFileFormat.maximumSize ? data : nil
    }
}
