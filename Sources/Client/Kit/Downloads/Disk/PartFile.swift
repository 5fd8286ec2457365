import Foundation
import NIOCore

/// The bytes of an unfinished download: `NAME.part`, locked, with its journal beside it. Its methods block.
final class PartFile: Sendable {
    static let suffix = ".part"
    private static let readSize = 1 << 20

    let path: String
    let journalPath: String
    let calls: FileCalls
    private let descriptor: Int32

    /// - Throws: ``FeedClientError`` `.disk`; `.failed` when another download has it.
    init(destination: String, calls: FileCalls = .system) throws(FeedClientError) {
        path = destination + Self.suffix
        journalPath = Self.journalPath(path)
        self.calls = calls
        descriptor = try Self.open(path, calls)
    }

    deinit { close(descriptor) }

    /// Lets others have it, now and not only when the last thread has let go of this object.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    static func journalPath(_ part: String) -> String { part + ".journal" }

    /// Opens and locks it. Who held the lock before may have given the file its name: then it is another one's now.
    private static func open(_ path: String, _ calls: FileCalls) throws(FeedClientError) -> Int32 {
        for _ in 0..<10 {
            let file = calls.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard file >= 0 else { throw DurableFile.failure("write", path) }
            do throws(FeedClientError) {
                if try isLocked(file, path, calls) { return file }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
        throw FeedClientError(.failed, "\(path) keeps changing", hint: "Is another download writing it?")
    }

    private static func isLocked(_ file: Int32, _ path: String, _ calls: FileCalls) throws(FeedClientError) -> Bool {
        guard calls.lock(file) == 0 else {
            guard errno == EWOULDBLOCK else { throw DurableFile.failure("lock", path) }
            throw FeedClientError(.failed, "\(path) is being downloaded already", hint: "Wait until that is done.")
        }
        var (mine, named) = (stat(), stat())
        guard calls.status(file, &mine) == 0 else { throw DurableFile.failure("read", path) }
        guard mine.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(.disk, "\(path) is no file", hint: "Choose another place with -o.")
        }
        guard calls.status(path, &named) == 0 else {
            guard errno == ENOENT else { throw DurableFile.failure("read", path) }
            return false
        }
        guard mine.st_ino == named.st_ino, mine.st_dev == named.st_dev else { return false }
        // A crash while it got its name has left it two: the whole file must not be written into.
        guard mine.st_nlink > 1 else { return true }
        guard calls.remove(path) == 0 else { throw DurableFile.failure("remove", path) }
        return false
    }

    // MARK: Bytes

    /// In bytes.
    func size() throws(FeedClientError) -> Int64 {
        var status = stat()
        guard calls.status(descriptor, &status) == 0 else { throw DurableFile.failure("read", path) }
        return Int64(status.st_size)
    }

    /// Bytes that are free beside it, if somebody knows.
    func space() -> Int64? { calls.space(descriptor) }

    /// Writes all of `bytes`, or throws.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FeedClientError) {
        var done = 0
        while done < bytes.count {
            let count = calls.write(
                descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]), offset + Int64(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DurableFile.failure("write", path) }
            done += count
        }
    }

    /// Reads `span`, block by block.
    func read(_ span: Range<Int64>, _ body: (UnsafeRawBufferPointer) -> Void) throws(FeedClientError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
        defer { buffer.deallocate() }
        var offset = span.lowerBound
        while offset < span.upperBound {
            let wanted = Int(min(Int64(buffer.count), span.upperBound - offset))
            let count = calls.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), offset)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DurableFile.failure("read", path) }
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    // MARK: State

    /// Makes the bytes durable, then what is said of them.
    func commit(_ journal: DownloadJournal) throws {
        guard calls.syncData(descriptor) == 0 else { throw DurableFile.failure("sync", path) }
        try DurableFile.replace(journalPath, with: JournalCodec.encode(journal), isAlone: true, calls: calls)
    }

    /// Forgets all bytes; the journal first, since it speaks of them. What stands there instead says that the part file is
    /// a download's, and so may be thrown away.
    func reset(for order: DownloadOrder) throws {
        try DurableFile.replace(journalPath, with: JournalCodec.encode(order), isAlone: true, calls: calls)
        guard calls.truncate(descriptor, 0) == 0 else { throw DurableFile.failure("write", path) }
    }

    /// Whether the path is still this file's; another download may have made one of its own since.
    var isNamed: Bool {
        var (mine, named) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && lstat(path, &named) == 0 && mine.st_ino == named.st_ino
            && mine.st_dev == named.st_dev
    }

    /// Gives the file its name, durably.
    /// - Parameter replaces: Whether something that has the name may go.
    func finish(as destination: String, size: Int64, replaces: Bool) throws(FeedClientError) {
        guard calls.truncate(descriptor, size) == 0, calls.sync(descriptor) == 0 else {
            throw DurableFile.failure("sync", path)
        }
        let code = replaces ? calls.rename(path, destination) : calls.renameWithoutReplacing(path, destination)
        guard code == 0 else {
            if errno == EEXIST { throw Self.taken(destination) }
            throw DurableFile.failure(replaces ? "replace" : "create", destination)
        }
        try DurableFile.syncFolder(of: destination, calls: calls)
        // One that is left over speaks of a part file that is not there, and is not believed.
        if access(path, F_OK) != 0 { try? forgetJournal() }
    }

    /// Takes both files away; what is left of them when that fails half-way is nobody's.
    func discard() {
        _ = calls.truncate(descriptor, 0)
        try? forgetJournal()
        _ = calls.remove(path)
    }

    /// Takes away what opening it has made, if nothing else was there.
    func discardIfUnused() {
        guard (try? size()) == 0, access(journalPath, F_OK) != 0 else { return }
        _ = calls.remove(path)
    }

    private func forgetJournal() throws(FeedClientError) {
        for path in [journalPath, DurableFile.besides(journalPath)] {
            guard calls.remove(path) == 0 else { throw DurableFile.failure("remove", path) }
        }
    }
}
