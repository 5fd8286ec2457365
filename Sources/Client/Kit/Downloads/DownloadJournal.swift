import Crypto
import Foundation

/// What is known of an unfinished download: enough to go on, or to notice that it cannot. It stands beside the part file
/// and is replaced as a whole, after the bytes it speaks of are on the disk.
struct DownloadJournal: Codable, Sendable, Equatable {
    var url: String
    /// A strong ETag; without one nothing is resumed.
    var etag: String
    /// In bytes.
    var total: Int64
    /// Bytes from the start that are on the disk.
    var done: Int64
    /// SHA-256 of the whole file, if the server said so.
    var digest: String?

    private struct Envelope: Codable {
        var journal: DownloadJournal
        var checksum: String
    }

    /// - Returns: The journal, or `nil` when there is none or it is damaged.
    static func load(_ path: String) -> DownloadJournal? {
        guard let data = FileManager.default.contents(atPath: path),
            let envelope = try? JSONDecoder().decode(Envelope.self, from: data),
            envelope.checksum == checksum(of: envelope.journal)
        else { return nil }
        return envelope.journal
    }

    /// - Throws: ``FeedClientError`` `.disk`.
    func save(_ path: String) throws(FeedClientError) {
        guard let data = try? JSONEncoder().encode(Envelope(journal: self, checksum: Self.checksum(of: self))) else {
            throw FeedClientError(.failed, "The state of the download cannot be written")
        }
        try DurableFile.replace(path, with: data, isAlone: true)
    }

    private static func checksum(of journal: DownloadJournal) -> String {
        let parts = [journal.url, journal.etag, String(journal.total), String(journal.done), journal.digest ?? ""]
        return SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)).map { String($0, radix: 16) }.joined(
            separator: ".")
    }
}
