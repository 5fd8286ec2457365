import FeedFolders
import Foundation

/// The state of an unfinished download, its journal. It is stored beside the part file and replaced as a whole, after
/// the bytes that it lists have been synced.
struct DownloadState: Sendable, Equatable {
    var request: DownloadRequest
    var file: FileIdentity
    var chunkSize: Int64
    /// The durable ranges, in ascending order and without overlap.
    var ranges: [HashedRange]

    /// Whether the part file contains all bytes.
    var isComplete: Bool { ranges.reduce(0) { $0 + $1.range.byteCount } == file.size }

    /// Whether the values are consistent with each other.
    var isValid: Bool {
        guard file.validator != nil, let size = file.size, (1...FileIdentity.maximumSize).contains(size),
            chunkSize >= ChunkPolicy.minimumSize, (size - 1) / chunkSize < ChunkPolicy.maximumCount
        else { return false }
        var end: Int64 = 0
        for hashed in ranges {
            let range = hashed.range
            guard hashed.digest.count == HashedRange.digestSize, range.lowerBound >= end, !range.isEmpty,
                range.upperBound <= size, range.lowerBound / chunkSize == (range.upperBound - 1) / chunkSize
            else { return false }
            end = range.upperBound
        }
        return true
    }
}

/// The request of the caller. The journal stores it, so that an unfinished download can be resumed from its path alone.
struct DownloadRequest: Sendable, Equatable, Codable {
    /// The requested URL; redirects may lead to another one.
    var url: String
    /// The expected SHA-256, in lowercase hexadecimal.
    var sha256: String?
    /// Whether an existing file at the destination may be replaced.
    var replacesExisting = false

    /// The keys of the journal's format.
    private enum CodingKeys: String, CodingKey {
        case url, sha256
        case replacesExisting = "replaces"
    }
}

/// The journal beside a part file, as found on disk.
enum DownloadStateFile: Sendable, Equatable {
    case missing
    case damaged
    /// A journal written by another version of feedclient.
    case unsupportedFormat
    /// A download of which no bytes are durable yet.
    case started(DownloadRequest)
    case resumable(DownloadState)

    /// Reads and decodes a journal.
    /// - Throws: ``FeedClientError`` `.disk` if the file exists but cannot be read, or is not this user's own.
    init(_ name: String, in folder: Folder, calls: SystemCalls) throws(FeedClientError) {
        guard let data = try Self.data(name, folder, calls) else {
            self = .missing
            return
        }
        self = DownloadStateFormat.decode(data)
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
    func checked(againstPartSize size: Int64) -> DownloadStateFile {
        guard case .resumable(let journal) = self, journal.ranges.last?.range.upperBound ?? 0 > size else {
            return self
        }
        return .damaged
    }

    private static func data(
        _ name: String, _ folder: Folder, _ calls: SystemCalls
    ) throws(FeedClientError) -> Data? {
        let file = calls.open(name, in: folder, O_RDONLY)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw AtomicFile.failure("read", name, in: folder)
        }
        defer { close(file) }
        try PartFileLock.require(file, folder.path(name), calls)
        return try calls.contents(of: file, folder.path(name), limit: DownloadStateFormat.maximumSize)
    }
}
