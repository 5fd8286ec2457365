/// Making durable what is there, now and then.
extension Transfer {
    /// The state is written at most so often: after this time, or so many bytes.
    static let commitSeconds = 1.0
    static let commitBytes: Int64 = 32 << 20

    func startCommit(_ group: inout ThrowingTaskGroup<Event, any Error>) {
        let (now, bytes) = (Seconds.now, ledger.written.count)
        let isLate = now - committedAt >= Self.commitSeconds
        // What is whole gets its name soon, which is better.
        let isMuch = bytes - committedBytes >= Self.commitBytes && bytes != length
        guard !isCommitting, bytes != committedBytes, isLate || isMuch, let journal else { return }
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

    var journal: DownloadJournal? {
        guard let known, !isStream, !ledger.written.isEmpty else { return nil }
        return DownloadJournal(order: order, file: known, chunkSize: ledger.chunkSize, pieces: ledger.pieces)
    }
}
