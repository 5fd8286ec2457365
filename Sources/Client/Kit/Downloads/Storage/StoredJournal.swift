import FeedFolders
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
    /// - Throws: ``FeedClientError`` `.disk` if the file exists but cannot be read, or is not this user's own.
    init(_ name: String, in folder: Folder, calls: FileCalls) throws(FeedClientError) {
        guard let data = try Self.data(name, folder, calls) else {
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

    private static func data(
        _ name: String, _ folder: Folder, _ calls: FileCalls
    ) throws(FeedClientError) -> Data? {
        let file = calls.open(name, in: folder, O_RDONLY)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw DurableFile.failure("read", name, in: folder)
        }
        defer { close(file) }
        try OwnFile.require(file, folder.path(name), calls)
        return try calls.contents(of: file, folder.path(name), limit: JournalCodec.maximumSize)
    }
}
