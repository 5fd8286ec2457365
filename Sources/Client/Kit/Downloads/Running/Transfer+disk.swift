import Crypto
import Foundation
import NIOCore

/// What happens on the disk.
extension Transfer {
    /// The state is written at most so often: after this time, or so many bytes.
    static let commitSeconds = 1.0
    static let commitBytes: Int64 = 32 << 20
    /// Bytes that are read back in one go.
    private static let hashBytes: Int64 = 32 << 20

    // MARK: Beginning

    /// Goes on with what an earlier download left.
    func takeUp() async throws {
        let (part, restarts) = (part, options.restarts)
        let notes = try await DiskThreads.run { try restarts ? .none : part.notes() }
        guard case .journal(let journal) = notes, journal.url == source else {
            if notes == .damaged { progress.note("The state of the earlier download is damaged: starting over.") }
            if case .journal = notes { progress.note("What was begun here is from another address: starting over.") }
            return try await forget()
        }
        (known, address, length, isStream) = (journal.file, journal.file.url, journal.file.total, false)
        ledger = Ledger(chunkSize: journal.chunkSize, pieces: journal.pieces)
        prefix = PrefixHash(unproven: journal.pieces)
        scheduler = Scheduler(missing: ledger.written.missing(in: 0..<(length ?? 0)))
        progress.base = ledger.written.count
        (committedBytes, farthest) = (progress.base, progress.base)
        try checkSpace()
    }

    /// Begins anew.
    func forget() async throws {
        let part = part
        try await DiskThreads.run { try part.reset() }
        (known, address, length) = (nil, source, nil)
        (isStream, isConfirmed) = (true, false)
        scheduler = Scheduler(missing: SpanSet(0..<Int64.max))
        ledger = Ledger(chunkSize: ChunkRule.usual)
        prefix = PrefixHash()
        (progress.base, committedBytes) = (0, 0)
    }

    /// Says at once when the disk is too small.
    func checkSpace() throws(FeedClientError) {
        guard let length, let space = part.space() else { return }
        let needed = length - ledger.written.count
        guard needed > space else { return }
        throw FeedClientError(
            .disk, "The disk is too full: \(needed) bytes are needed and \(space) are free",
            hint: "Free \(needed - space) bytes and run the same command again.")
    }

    // MARK: Writing

    /// Writes what a connection brought, and notes it.
    func write(_ batch: Batch) async throws {
        let (part, chunkSize) = (part, ledger.chunkSize)
        guard !isStream else {
            // Nothing to be resumed needs no hashes of its pieces.
            try await DiskThreads.run { try part.write(batch) { _ in } }
            return ledger.note(batch.offset..<batch.offset + Int64(batch.count))
        }
        let stretch = ledger.stretch(at: batch.offset)
        let (pieces, rest) = try await DiskThreads.run { () -> ([Piece], Stretch) in
            var (pieces, stretch) = ([Piece](), stretch)
            try part.write(batch) { pieces += stretch.append($0, chunkSize: chunkSize) }
            return (pieces, stretch)
        }
        for piece in pieces { ledger.add(piece) }
        ledger.update(rest)
    }

    // MARK: Hashing

    /// Reads back what follows the start without a gap: for the hash of the whole, and to prove what was there before.
    func startHashing(_ group: inout ThrowingTaskGroup<Event, any Error>) {
        let end = ledger.written.end(from: prefix.position)
        guard !isHashing, let span = prefix.next(upTo: end, limit: Self.hashBytes) else { return }
        isHashing = true
        let (part, prefix) = (part, prefix)
        group.addTask { try await DiskThreads.run { try part.hash(span, onto: prefix) } }
    }

    func hashed(_ prefix: PrefixHash, _ damaged: Piece?) {
        isHashing = false
        self.prefix = prefix
        guard let damaged else { return }
        ledger.drop(damaged)
        scheduler.needAgain(damaged.span)
        progress.note("\(damaged.span.count) bytes on the disk were damaged: fetching them again.")
    }

    // MARK: Committing

    func startCommit(_ group: inout ThrowingTaskGroup<Event, any Error>) {
        let (now, bytes) = (Seconds.now, ledger.written.count)
        guard !isCommitting, bytes != committedBytes, bytes != length,
            now - committedAt >= Self.commitSeconds || bytes - committedBytes >= Self.commitBytes,
            let journal
        else { return }
        isCommitting = true
        let part = part
        group.addTask {
            try await DiskThreads.run { try part.commit(journal) }
            return .committed(bytes)
        }
    }

    func committed(_ bytes: Int64) {
        isCommitting = false
        (committedAt, committedBytes) = (Seconds.now, bytes)
    }

    private var journal: DownloadJournal? {
        guard let known, !isStream, !ledger.written.isEmpty else { return nil }
        return DownloadJournal(url: source, file: known, chunkSize: ledger.chunkSize, pieces: ledger.pieces)
    }

    // MARK: Ending

    /// Checks the whole and gives it its name.
    func finish() async throws -> DownloadResult {
        tell()
        let (hash, size) = (Hexadecimal.text(prefix.hash.finalize()), prefix.position)
        let expected = options.sha256 ?? known?.digest
        if let expected, expected != hash {
            isStream = true
            throw FeedClientError(
                .integrity, "The file is not the one that was promised: its sha-256 is \(hash)",
                hint: options.sha256 == nil ? "Try again." : "Check the checksum, or who offers the file.")
        }
        let (part, destination, replaces) = (part, destination, options.restarts)
        try await DiskThreads.run { try part.finish(as: destination, size: size, replaces: replaces) }
        let verification: DownloadResult.Verification =
            options.sha256 != nil ? .sha256FromCaller : known?.digest != nil ? .sha256FromServer : .sizeOnly
        return DownloadResult(
            path: destination, size: size, sha256: hash, verification: verification, resumedFrom: progress.base)
    }

    /// Leaves behind what the next try can use, and nothing else.
    func leave() async {
        let (part, journal) = (part, journal)
        try? await DiskThreads.run {
            if let journal { try part.commit(journal) } else { part.discard() }
        }
    }

    /// A full disk is told in bytes.
    func explained(_ error: any Error) -> any Error {
        guard let error = error as? FeedClientError, let cause = error.cause as? POSIXError,
            cause.code == .ENOSPC || cause.code == .EDQUOT, let length
        else { return error }
        return FeedClientError(
            .disk, "\(error.message); \(length - ledger.written.count) bytes are missing",
            hint: "Free some space and run the same command again to go on.", cause: cause)
    }
}

extension PartFile {
    /// Writes a batch; each part of it is shown to `hash` first.
    fileprivate func write(_ batch: Batch, _ hash: (UnsafeRawBufferPointer) -> Void) throws {
        var offset = batch.offset
        for buffer in batch.buffers {
            try buffer.withUnsafeReadableBytes { bytes in
                hash(bytes)
                try write(bytes, at: offset)
            }
            offset += Int64(buffer.readableBytes)
        }
    }

    /// Reads `span` and puts it onto the hash, unless it is a piece that is not what it was.
    fileprivate func hash(_ span: Range<Int64>, onto prefix: PrefixHash) throws -> Transfer.Event {
        var (next, alone) = (prefix, SHA256())
        let piece = prefix.unproven.first.flatMap { $0.span == span ? $0 : nil }
        try read(span) { bytes in
            next.append(bytes)
            if piece != nil { alone.update(bufferPointer: bytes) }
        }
        guard let piece else { return .hashed(next, damaged: nil) }
        guard Array(alone.finalize().prefix(Piece.digestSize)) == piece.digest else {
            var before = prefix
            before.prove()
            return .hashed(before, damaged: piece)
        }
        next.prove()
        return .hashed(next, damaged: nil)
    }
}
