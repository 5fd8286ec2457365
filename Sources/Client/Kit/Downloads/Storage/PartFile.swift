import Foundation
import Synchronization

/// The bytes of an unfinished download: `NAME.part`, locked, with its journal beside it. All methods block.
final class PartFile: Sendable {
    static let suffix = ".part"
    private static let readSize = 1 << 20

    let path: String
    let journalPath: String
    private let calls: FileCalls
    private let descriptor: CInt
    private let isUsed = Atomic(false)

    /// Opens and locks the part file of a destination, creating it if necessary.
    /// - Throws: ``FeedClientError`` `.disk`; `.failed` if another download holds the lock.
    init(destination: String, calls: FileCalls = .system) throws(FeedClientError) {
        path = destination + Self.suffix
        journalPath = Self.journalPath(path)
        self.calls = calls
        descriptor = try Self.open(path, calls)
    }

    deinit { close(descriptor) }

    static func journalPath(_ part: String) -> String { part + ".journal" }

    // MARK: Locking

    /// Reserves the part file for one transfer. Afterwards, its descriptor may refer to the finished file.
    /// - Returns: `false` if a transfer has used it already.
    func use() -> Bool { !isUsed.exchange(true, ordering: .acquiringAndReleasing) }

    /// Releases the lock now, rather than when the last thread drops its reference to this object.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Whether the path still refers to this file; another download may have created a new one since.
    var isCurrent: Bool {
        var (own, current) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat(path, &current) == 0 && own.st_ino == current.st_ino
            && own.st_dev == current.st_dev
    }

    /// Opens and locks the file. The previous holder of the lock may have moved the file into place in the meantime, in
    /// which case the path is opened again.
    private static func open(_ path: String, _ calls: FileCalls) throws(FeedClientError) -> CInt {
        for _ in 0..<10 {
            let file = calls.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard file >= 0 else { throw DurableFile.failure("write", path) }
            do throws(FeedClientError) {
                if try lock(file, path, calls) { return file }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
        throw FeedClientError(
            .failed, "\(path) is being replaced repeatedly", hint: "Check whether another program writes it.")
    }

    /// - Returns: `false` if the path refers to another file by now.
    private static func lock(_ file: CInt, _ path: String, _ calls: FileCalls) throws(FeedClientError) -> Bool {
        guard calls.lock(file) == 0 else {
            guard errno == EWOULDBLOCK else { throw DurableFile.failure("lock", path) }
            throw FeedClientError(.failed, "Another download is writing \(path)", hint: "Wait until it has finished.")
        }
        var (own, current) = (stat(), stat())
        guard calls.status(file, &own) == 0 else { throw DurableFile.failure("read", path) }
        guard own.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(.disk, "\(path) is not a regular file", hint: "Choose another path with -o.")
        }
        guard calls.status(path, &current) == 0 else {
            guard errno == ENOENT else { throw DurableFile.failure("read", path) }
            return false
        }
        guard own.st_ino == current.st_ino, own.st_dev == current.st_dev else { return false }
        // Two names are left over from a crash while the file was moved into place. The finished file must not be
        // modified.
        guard own.st_nlink > 1 else { return true }
        guard calls.remove(path) == 0 else { throw DurableFile.failure("remove", path) }
        return false
    }

    // MARK: Bytes

    /// The size in bytes.
    func size() throws(FeedClientError) -> Int64 {
        var status = stat()
        guard calls.status(descriptor, &status) == 0 else { throw DurableFile.failure("read", path) }
        return Int64(status.st_size)
    }

    /// The number of bytes that can still be written to the file system, or `nil` if unknown.
    func freeSpace() -> Int64? { calls.freeSpace(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FeedClientError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = calls.write(descriptor, rest, at: offset + Int64(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DurableFile.failure("write", path) }
            done += count
        }
    }

    /// Reads a range block by block.
    func read(_ range: Range<Int64>, _ body: (UnsafeRawBufferPointer) -> Void) throws(FeedClientError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
        defer { buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = Int(min(Int64(buffer.count), range.upperBound - offset))
            let block = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = calls.read(descriptor, block, at: offset)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DurableFile.failure("read", path) }
            body(UnsafeRawBufferPointer(rebasing: block[..<count]))
            offset += Int64(count)
        }
    }

    // MARK: State

    /// Reads the journal.
    func journal() throws(FeedClientError) -> StoredJournal {
        try StoredJournal(path: journalPath, calls: calls).checked(againstPartSize: size())
    }

    /// Makes the bytes durable, and then the journal that lists them.
    func commit(_ journal: DownloadJournal) throws {
        guard calls.syncData(descriptor) == 0 else { throw DurableFile.failure("sync", path) }
        try replaceJournal(with: JournalCodec.encode(journal))
    }

    /// Discards the journal and then all bytes. The new journal marks the part file as belonging to a download.
    func startOver(_ request: DownloadRequest) throws {
        try replaceJournal(with: JournalCodec.encode(request))
        guard calls.truncate(descriptor, to: 0) == 0 else { throw DurableFile.failure("write", path) }
    }

    private func replaceJournal(with data: Data) throws(FeedClientError) {
        try DurableFile.replace(journalPath, with: data, hasSingleWriter: true, calls: calls)
    }

    /// Durably renames the part file to the destination and removes the journal.
    func moveIntoPlace(
        at destination: String, size: Int64, replacingExisting: Bool
    ) throws(FeedClientError) {
        guard calls.truncate(descriptor, to: size) == 0, calls.sync(descriptor) == 0 else {
            throw DurableFile.failure("sync", path)
        }
        let code =
            replacingExisting
            ? calls.rename(path, to: destination) : calls.renameWithoutReplacing(path, to: destination)
        guard code == 0 else {
            if errno == EEXIST { throw Self.alreadyExists(destination) }
            throw DurableFile.failure(replacingExisting ? "replace" : "create", destination)
        }
        try DurableFile.syncFolder(of: destination, calls: calls)
        // A leftover journal is harmless, because it is ignored without a part file.
        if access(path, F_OK) != 0 { try? removeJournal() }
    }

    /// Removes the part file and the journal. After a partial failure, the remaining file is not trusted.
    func discard() {
        _ = calls.truncate(descriptor, to: 0)
        try? removeJournal()
        _ = calls.remove(path)
    }

    /// Removes an empty part file without a journal, such as one that has just been created.
    func removeIfUnused() {
        guard (try? size()) == 0, access(journalPath, F_OK) != 0 else { return }
        _ = calls.remove(path)
    }

    private func removeJournal() throws(FeedClientError) {
        for path in [journalPath, DurableFile.temporaryPath(journalPath)] {
            guard calls.remove(path) == 0 else { throw DurableFile.failure("remove", path) }
        }
    }

    static func alreadyExists(_ destination: String) -> FeedClientError {
        FeedClientError(
            .failed, "\(destination) already exists",
            hint: "Choose another path with -o, or replace the file with --restart.")
    }
}
