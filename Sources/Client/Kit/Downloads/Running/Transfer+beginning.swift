/// Where a transfer begins: with what an earlier one left, or anew.
extension Transfer {
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
}
