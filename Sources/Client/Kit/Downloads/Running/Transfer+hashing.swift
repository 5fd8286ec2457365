import Crypto

/// Reading back what follows the start without a gap.
extension Transfer {
    /// Bytes that are read back in one go.
    private static let hashBytes: Int64 = 32 << 20

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
}

extension PartFile {
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
