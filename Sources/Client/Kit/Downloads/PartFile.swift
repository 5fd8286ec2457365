import Crypto
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The bytes of an unfinished download: `NAME.part`, locked, with its journal beside it.
final class PartFile: Sendable {
    let path: String
    private let journalPath: String
    private let descriptor: Int32
    private let threads = NIOSingletons.posixBlockingThreadPool

    /// - Throws: ``FeedClientError`` `.disk`; `.failed` when another download has it.
    init(destination: String) throws(FeedClientError) {
        path = destination + ".part"
        journalPath = path + ".journal"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw DurableFile.failure("write", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FeedClientError(.failed, "\(path) is being downloaded already", hint: "Wait until that is done.")
        }
    }

    deinit { close(descriptor) }

    /// The journal, when the bytes it speaks of are there.
    func journal(for url: String) -> DownloadJournal? {
        guard let journal = DownloadJournal.load(journalPath), journal.url == url, size >= journal.done else {
            return nil
        }
        return journal
    }

    private var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    func write(_ bytes: ByteBuffer, at offset: Int64) async throws {
        try await threads.runIfActive { [self] in
            try bytes.withUnsafeReadableBytes { pointer in
                var done = 0
                while done < pointer.count {
                    let count = pwrite(
                        descriptor, pointer.baseAddress?.advanced(by: done), pointer.count - done,
                        off_t(offset) + off_t(done))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw DurableFile.failure("write", path) }
                    done += count
                }
            }
        }
    }

    /// Makes the bytes durable, then what is said of them.
    func commit(_ journal: DownloadJournal) async throws {
        try await threads.runIfActive { [self] in
            guard fdatasync(descriptor) == 0 else { throw DurableFile.failure("sync", path) }
            try journal.save(journalPath)
        }
    }

    /// Forgets all bytes.
    func reset() throws(FeedClientError) {
        forgetJournal()
        guard ftruncate(descriptor, 0) == 0 else { throw DurableFile.failure("write", path) }
    }

    /// SHA-256 of the first `count` bytes, lower-case hexadecimal.
    func hash(_ count: Int64) async throws -> String {
        try await threads.runIfActive { [self] in
            var hash = SHA256()
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var offset: Int64 = 0
            while offset < count {
                let got = pread(descriptor, &buffer, Int(min(Int64(buffer.count), count - offset)), off_t(offset))
                guard got > 0 else { throw DurableFile.failure("read", path) }
                buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<got])) }
                offset += Int64(got)
            }
            return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Gives the file its name, durably.
    /// - Parameter replaces: Whether something that has the name may go.
    func finish(as destination: String, size: Int64, replaces: Bool) async throws {
        try await threads.runIfActive { [self] in
            guard ftruncate(descriptor, off_t(size)) == 0, fsync(descriptor) == 0 else {
                throw DurableFile.failure("sync", path)
            }
            if replaces {
                guard rename(path, destination) == 0 else { throw DurableFile.failure("replace", destination) }
            } else {
                // A link does not replace what somebody else has put there meanwhile.
                guard link(path, destination) == 0 else { throw DurableFile.failure("create", destination) }
                unlink(path)
            }
            forgetJournal()
            try DurableFile.syncFolder(of: destination)
        }
    }

    /// Takes both files away.
    func discard() {
        unlink(path)
        forgetJournal()
    }

    private func forgetJournal() {
        unlink(journalPath)
        unlink(DurableFile.besides(journalPath))
    }
}
