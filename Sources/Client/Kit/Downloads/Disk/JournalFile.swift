import Foundation

extension PartFile {
    /// What stands in the journal beside a part file.
    enum Notes: Equatable {
        case none
        case damaged
        /// By another version.
        case unknown
        case begun(DownloadOrder)
        case journal(DownloadJournal)
    }

    /// The journal, as far as the bytes it speaks of can be there.
    func notes() throws(FeedClientError) -> Notes {
        guard let data = try Self.data(journalPath, calls) else { return .none }
        let notes = JournalCodec.decode(data)
        guard case .journal(let journal) = notes else { return notes }
        return try (journal.pieces.last?.span.upperBound ?? 0) <= size() ? notes : .damaged
    }

    /// What the download was asked for whose part file stands there.
    /// - Returns: `nil` when nothing there says so.
    static func order(ofPart path: String, calls: FileCalls = .system) throws(FeedClientError) -> DownloadOrder? {
        // Without it a journal is left over from a download that is done.
        guard access(path, F_OK) == 0 else { return nil }
        return switch try data(journalPath(path), calls).map(JournalCodec.decode) {
        case .journal(let journal): journal.order
        case .begun(let order): order
        default: nil
        }
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
