import Foundation

/// The journal beside a part file, as found on disk.
enum StoredJournal: Sendable, Equatable {
    case missing
    case damaged
    /// A journal written by another version of feedclient.
    case unsupportedFormat
    /// A download of which no bytes are durable yet.
    case started(DownloadRequest)
    case resumable(DownloadJournal)

    /// Reads and decodes a journal.
    /// - Throws: ``FeedClientError`` `.disk` if the file exists but cannot be read.
    init(path: String, calls: FileCalls) throws(FeedClientError) {
        guard let data = try Self.data(path, calls) else {
            self = .missing
            return
        }
        self = JournalCodec.decode(data)
    }

    /// The request of the unfinished download, if known.
    var request: DownloadRequest? {
        switch self {
        case .missing, .damaged, .unsupportedFormat: nil
        case .started(let request): request
        case .resumable(let journal): journal.request
        }
    }

    /// The journal, unless it lists bytes beyond the end of the part file.
    func checked(againstPartSize size: Int64) -> StoredJournal {
        guard case .resumable(let journal) = self, journal.ranges.last?.range.upperBound ?? 0 > size else {
            return self
        }
        return .damaged
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
            let count = calls.read(file, block, at: Int64(data.count))
            guard count >= 0 else { throw DurableFile.failure("read", path) }
            if count == 0 { break }
            data.append(contentsOf: block[..<count])
        }
        return data
    }
}
