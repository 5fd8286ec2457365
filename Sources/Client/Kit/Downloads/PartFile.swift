import Crypto
import FeedFolders
import Foundation
import NIOCore
import Synchronization

/// The bytes of an unfinished download: `NAME.part`, locked, with its journal beside it. All methods block.
///
/// Others may be able to write to the folder. Therefore, ``PartFileLock`` opens it, and only the file that was verified
/// is moved into place.
final class PartFile: Sendable {
    static let suffix = ".part"
    /// The length of the longest suffix that is added to the name of a destination, in bytes.
    static let longestSuffix = journal(suffix).utf8.count + TemporaryName.suffixLength
    private static let readSize = 1 << 20

    /// The path of the finished file.
    let destination: String
    let path: String
    private let folder: Folder
    /// The name of the finished file.
    private let finalName: String
    private let calls: SystemCalls
    private let descriptor: CInt
    private let isUsed = Atomic(false)

    private var name: String { finalName + Self.suffix }
    private var journalName: String { Self.journal(name) }

    /// Opens and locks the part file of a destination, creating it if necessary.
    /// - Throws: ``FeedClientError`` `.disk`; `.failed` if another download holds the lock.
    init(destination: String, calls: SystemCalls = .system) throws(FeedClientError) {
        (self.destination, path, self.calls) = (destination, destination + Self.suffix, calls)
        let (folderPath, finalName) = Self.split(destination)
        self.finalName = finalName
        do throws(FolderError) { folder = try calls.folder(folderPath) } catch {
            throw AtomicFile.failure("open", error)
        }
        descriptor = try PartFileLock.openLocked(finalName + Self.suffix, in: folder, calls)
        removeTemporaryJournals()
    }

    deinit { close(descriptor) }

    /// The path or the name of a journal.
    /// - Parameter part: The path or the name of the part file.
    static func journal(_ part: String) -> String { part + ".journal" }

    /// The folder of a path, and the name in it.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
    }

    // MARK: Locking

    /// Reserves the part file for one run of a download. Afterwards, its descriptor may refer to the finished file.
    /// - Returns: `false` if one has used it already.
    func use() -> Bool { !isUsed.exchange(true, ordering: .acquiringAndReleasing) }

    /// Releases the lock now, rather than when the last thread drops its reference to this object.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Whether the path still refers to this file; another download may have created a new one since.
    var isCurrent: Bool {
        var own = stat()
        guard fstat(descriptor, &own) == 0, let current = folder.status(name) else { return false }
        return PartFileLock.areSame(own, current)
    }

    /// Removes what killed downloads have left. Only the holder of the lock writes journals.
    private func removeTemporaryJournals() {
        for name in (try? folder.names()) ?? [] where TemporaryName.finalName(of: name) == journalName {
            _ = calls.remove(name, in: folder)
        }
    }

    // MARK: Bytes

    /// The size in bytes.
    func size() throws(FeedClientError) -> Int64 {
        var status = stat()
        guard calls.status(descriptor, &status) == 0 else { throw AtomicFile.failure("read", path) }
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
            guard count > 0 else { throw AtomicFile.failure("write", path) }
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
            guard count > 0 else { throw AtomicFile.failure("read", path) }
            body(UnsafeRawBufferPointer(rebasing: block[..<count]))
            offset += Int64(count)
        }
    }

    // MARK: State

    /// Reads the journal.
    func journal() throws(FeedClientError) -> DownloadStateFile {
        try DownloadStateFile(journalName, in: folder, calls: calls).checked(againstPartSize: size())
    }

    /// Makes the bytes durable, and then the journal that lists them.
    func commit(_ journal: DownloadState) throws {
        guard calls.syncData(descriptor) == 0 else { throw AtomicFile.failure("sync", path) }
        try replaceJournal(with: DownloadStateFormat.encode(journal))
    }

    /// Discards the journal and then all bytes. The new journal marks the part file as belonging to a download.
    func startOver(_ request: DownloadRequest) throws {
        try replaceJournal(with: DownloadStateFormat.encode(request))
        guard calls.truncate(descriptor, to: 0) == 0 else { throw AtomicFile.failure("write", path) }
    }

    private func replaceJournal(with data: Data) throws(FeedClientError) {
        try AtomicFile.replace(journalName, in: folder, with: data, calls: calls)
    }

    /// Durably renames the part file to the destination and removes the journal.
    /// - Throws: ``FeedClientError`` `.disk`; `.failed` if there is a file that may not be replaced; `.integrity` if
    ///   another program has replaced the part file, whose bytes have not been verified.
    func moveIntoPlace(size: Int64, replacingExisting: Bool) throws(FeedClientError) {
        guard calls.truncate(descriptor, to: size) == 0, calls.sync(descriptor) == 0 else {
            throw AtomicFile.failure("sync", path)
        }
        try requireName(name, path)
        let code =
            replacingExisting
            ? calls.rename(name, to: finalName, in: folder)
            : calls.renameWithoutReplacing(name, to: finalName, in: folder)
        guard code == 0 else {
            if errno == EEXIST { throw Self.alreadyExists(destination) }
            throw AtomicFile.failure(replacingExisting ? "replace" : "create", destination)
        }
        // The name may have been given to another file between the check and the call.
        try requireName(finalName, destination)
        try AtomicFile.sync(folder, calls: calls)
        // A leftover journal is harmless, because it is ignored without a part file.
        if folder.type(name) == nil { try? removeJournal() }
    }

    private func requireName(_ name: String, _ path: String) throws(FeedClientError) {
        if try PartFileLock.status(of: descriptor, named: name, in: folder, calls) != nil { return }
        throw FeedClientError(
            .integrity, "\(path) is not the downloaded file: another program has replaced it",
            hint: "Check who can write to its folder, and download it again.")
    }

    /// Removes the part file and the journal. After a partial failure, the remaining file is not trusted.
    func discard() {
        _ = calls.truncate(descriptor, to: 0)
        try? removeJournal()
        _ = calls.remove(name, in: folder)
    }

    /// Removes an empty part file without a journal, such as one that has just been created.
    func removeIfUnused() {
        guard (try? size()) == 0, folder.type(journalName) == nil else { return }
        _ = calls.remove(name, in: folder)
    }

    private func removeJournal() throws(FeedClientError) {
        guard calls.remove(journalName, in: folder) == 0 else {
            throw AtomicFile.failure("remove", journalName, in: folder)
        }
    }

    static func alreadyExists(_ destination: String) -> FeedClientError {
        FeedClientError(
            .failed, "\(destination) already exists",
            hint: "Choose another path with -o, or replace the file with --restart.")
    }
}

extension PartFile {
    /// Writes a buffer; `hash` is called with each part of it first.
    func write(_ buffer: WriteBuffer, _ hash: (UnsafeRawBufferPointer) -> Void) throws {
        var offset = buffer.offset
        for part in buffer.buffers {
            try part.withUnsafeReadableBytes { bytes in
                hash(bytes)
                try write(bytes, at: offset)
            }
            offset += Int64(part.readableBytes)
        }
    }

    /// Reads a range back and appends it to the hash, unless it does not match its digest.
    func hash(
        _ range: Range<Int64>, onto hasher: PrefixHasher
    ) throws -> (PrefixHasher, damaged: HashedRange?) {
        var (next, own) = (hasher, SHA256())
        let unverified = hasher.unverified.first.flatMap { $0.range == range ? $0 : nil }
        try read(range) { bytes in
            next.append(bytes)
            if unverified != nil { own.update(bufferPointer: bytes) }
        }
        guard let unverified else { return (next, nil) }
        guard HashedRange.digest(of: own) == unverified.digest else {
            var unchanged = hasher
            unchanged.removeFirstUnverified()
            return (unchanged, damaged: unverified)
        }
        next.removeFirstUnverified()
        return (next, nil)
    }
}
