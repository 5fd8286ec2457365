/// Where a transfer begins: with what an earlier one left, or anew.
extension Transfer {
    /// Goes on with what an earlier download left, or begins anew.
    func takeUp() async throws {
        let (part, source, restarts) = (part, source, options.restarts)
        let beginning = try await DiskThreads.run {
            guard !restarts else { return Beginning.anew(nil, note: nil) }
            let (notes, isEmpty) = (try part.notes(), try part.size() == 0)
            return try Beginning.judge(notes, isEmpty: isEmpty, source: source, path: part.path)
        }
        switch beginning {
        case .goOn(let journal): try goOn(journal)
        case .anew(let before, let note):
            isOurs = true
            if let note { progress.note(note) }
            if let before { adopt(before) }
            try await forget()
        }
    }

    private func adopt(_ before: DownloadOrder) {
        adoptedFrom = before.url
        order.sha256 = order.sha256 ?? before.sha256
        order.replaces = order.replaces || before.replaces
    }

    /// It is ours as soon as the server says that it still is the same file.
    private func goOn(_ journal: DownloadJournal) throws(FeedClientError) {
        adopt(journal.order)
        (known, length, isStream) = (journal.file, journal.file.total, false)
        // In a damaged journal it may be no web address, and no connection would ever be opened.
        let isUsable = journal.order.url == source && ServerAddress.origin(journal.file.url) != nil
        address = isUsable ? journal.file.url : source
        // Whether it still is that file the server has to say, and nobody asks for nothing.
        let pieces = journal.isWhole ? journal.pieces.dropLast() : journal.pieces
        ledger = Ledger(chunkSize: journal.chunkSize, pieces: pieces)
        prefix = PrefixHash(unproven: pieces)
        scheduler = Scheduler(missing: ledger.written.missing(in: 0..<(length ?? 0)))
        progress.base = ledger.written.count
        (committedBytes, farthest) = (progress.base, progress.base)
        try checkSpace()
    }

    /// Begins anew.
    func forget() async throws {
        let (part, order) = (part, order)
        try await DiskThreads.run { try part.reset(for: order) }
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
