import Foundation

extension PartFile {
    /// What stands in the journal beside a part file.
    enum Notes: Equatable {
        case none
        case damaged
        case journal(DownloadJournal)
    }

    /// The journal, as far as the bytes it speaks of can be there.
    func notes() throws(FeedClientError) -> Notes {
        guard let data = try Self.data(journalPath, calls) else { return .none }
        guard let journal = JournalCodec.decode(data) else { return .damaged }
        return try (journal.pieces.last?.span.upperBound ?? 0) <= size() ? .journal(journal) : .damaged
    }

    /// The journal of a part file that is not opened.
    /// - Returns: `nil` when there is none or it is damaged.
    static func journal(ofPart path: String, calls: FileCalls = .system) throws(FeedClientError) -> DownloadJournal? {
        try data(journalPath(path), calls).flatMap { JournalCodec.decode($0) }
    }

    private static func data(_ path: String, _ calls: FileCalls) throws(FeedClientError) -> Data? {
        let file = calls.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw DurableFile.failure("read", path)
        }
        defer { close(file) }
        var data = Data()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { block.deallocate() }
        while data.count <= JournalCodec.maximumSize {
            let count = calls.read(file, block, Int64(data.count))
            guard count >= 0 else { throw DurableFile.failure("read", path) }
            if count == 0 { break }
            data.append(contentsOf: block[..<count])
        }
        return data
    }
}
