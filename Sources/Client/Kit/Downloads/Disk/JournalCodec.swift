import Crypto
import Foundation

/// The journal as it stands on the disk: one line of JSON, and a line with its SHA-256. Finished chunks are a bitmap and
/// their hashes, what is shorter is listed.
enum JournalCodec {
    static let format = "feedclient download 2"
    /// Larger than any that is written.
    static let maximumSize = 4 << 20
    static let maximumPieces = 16_384

    private struct Page: Codable {
        struct Part: Codable {
            var start: Int64
            var end: Int64
            var hash: Data
        }

        var format: String
        var url: String
        var file: Representation
        var chunkSize: Int64
        /// Bit `n % 8` of byte `n / 8` stands for chunk `n`.
        var chunks: Data
        var hashes: Data
        var parts: [Part]
    }

    static func encode(_ journal: DownloadJournal) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(page(journal))
        return body + Data("\n\(checksum(body))\n".utf8)
    }

    /// - Returns: `nil` when it is damaged, or cannot be true.
    static func decode(_ data: Data) -> DownloadJournal? {
        guard data.count <= maximumSize, let split = data.firstIndex(of: 10) else { return nil }
        let body = Data(data[..<split])
        guard data[data.index(after: split)...] == Data("\(checksum(body))\n".utf8),
            let page = try? JSONDecoder().decode(Page.self, from: body), page.format == format,
            let journal = journal(page), journal.isSound
        else { return nil }
        return journal
    }

    private static func page(_ journal: DownloadJournal) -> Page {
        let total = journal.file.total ?? 0
        var page = Page(
            format: format, url: journal.url, file: journal.file, chunkSize: journal.chunkSize,
            chunks: Data(count: Int((total / journal.chunkSize + 8) / 8)), hashes: Data(), parts: [])
        for piece in journal.pieces {
            let index = Int(piece.span.lowerBound / journal.chunkSize)
            if piece.span == chunk(index, journal.chunkSize, total) {
                page.chunks[index / 8] |= 1 << UInt8(index % 8)
                page.hashes.append(contentsOf: piece.digest)
            } else {
                page.parts.append(
                    Page.Part(start: piece.span.lowerBound, end: piece.span.upperBound, hash: Data(piece.digest)))
            }
        }
        return page
    }

    private static func journal(_ page: Page) -> DownloadJournal? {
        guard let total = page.file.total, total > 0, page.chunkSize > 0, page.parts.count <= maximumPieces,
            page.parts.allSatisfy({ 0 <= $0.start && $0.start < $0.end })
        else { return nil }
        var pieces = page.parts.map { Piece(span: $0.start..<$0.end, digest: Array($0.hash)) }
        let finished = (0..<page.chunks.count * 8).filter { page.chunks[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        guard page.hashes.count == finished.count * Piece.digestSize else { return nil }
        for (order, index) in finished.enumerated() {
            guard let span = chunk(index, page.chunkSize, total) else { return nil }
            let hash = page.hashes.dropFirst(order * Piece.digestSize).prefix(Piece.digestSize)
            pieces.append(Piece(span: span, digest: Array(hash)))
        }
        return DownloadJournal(
            url: page.url, file: page.file, chunkSize: page.chunkSize,
            pieces: pieces.sorted { $0.span.lowerBound < $1.span.lowerBound })
    }

    private static func chunk(_ index: Int, _ size: Int64, _ total: Int64) -> Range<Int64>? {
        let (start, isTooFar) = Int64(index).multipliedReportingOverflow(by: size)
        guard !isTooFar, start < total else { return nil }
        return start..<(total - start > size ? start + size : total)
    }

    private static func checksum(_ body: Data) -> String { Hexadecimal.text(SHA256.hash(data: body)) }
}
