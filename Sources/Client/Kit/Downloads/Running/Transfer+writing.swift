import NIOCore

/// Bytes on their way to the disk.
extension Transfer {
    /// Writes what a connection brought, and notes it. A failure ends the transfer, also when the connection has meanwhile
    /// ended for another reason.
    func write(_ batch: Batch) async throws {
        do {
            try await put(batch)
        } catch {
            failure = failure ?? error
            throw error
        }
    }

    private func put(_ batch: Batch) async throws {
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
}
