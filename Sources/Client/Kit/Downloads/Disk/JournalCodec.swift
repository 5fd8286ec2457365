import Crypto
import Foundation

/// The journal as it stands on the disk: one line of JSON, and a line with its SHA-256. Finished chunks are a bitmap and
/// their hashes, what is shorter is listed.
enum JournalCodec {
    static let format = "feedclient download 3"
    /// Larger than any that is written.
    static let maximumSize = 4 << 20
    static let maximumPieces = 16_384

    private struct Page: Codable {
        var format: String
        var order: DownloadOrder
        /// `nil` before anything is durable.
        var state: State?
    }

    private struct State: Codable {
        struct Part: Codable {
            var start: Int64
            var end: Int64
            var hash: Data
        }

        var file: Representation
        var chunkSize: Int64
        /// Bit `n % 8` of byte `n / 8` stands for chunk `n`.
        var chunks: Data
        var hashes: Data
        var parts: [Part]
    }

    private struct Header: Codable { var format: String }

    /// A download that has nothing durable yet.
    static func encode(_ order: DownloadOrder) throws -> Data {
        try seal(Page(format: format, order: order, state: nil))
    }

    static func encode(_ journal: DownloadJournal) throws -> Data {
        try seal(Page(format: format, order: journal.order, state: state(journal)))
    }

    private static func seal(_ page: Page) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(page)
        return body + Data("\n\(checksum(body))\n".utf8)
    }

    /// What stands there: never `.none`, and `.damaged` also for what cannot be true.
    static func decode(_ data: Data) -> PartFile.Notes {
        guard data.count <= maximumSize, let split = data.firstIndex(of: 10) else { return .damaged }
        let body = Data(data[..<split])
        guard data[data.index(after: split)...] == Data("\(checksum(body))\n".utf8),
            let header = try? JSONDecoder().decode(Header.self, from: body)
        else { return .damaged }
        guard header.format == format else { return .unknown }
        guard let page = try? JSONDecoder().decode(Page.self, from: body) else { return .damaged }
        guard let state = page.state else { return .begun(page.order) }
        guard let journal = journal(page.order, state), journal.isSound else { return .damaged }
        return .journal(journal)
    }

    private static func state(_ journal: DownloadJournal) -> State {
        let total = journal.file.total ?? 0
        var state = State(
            file: journal.file, chunkSize: journal.chunkSize,
            chunks: Data(count: Int((total / journal.chunkSize + 8) / 8)), hashes: Data(), parts: [])
        for piece in journal.pieces {
            let index = Int(piece.span.lowerBound / journal.chunkSize)
            if piece.span == chunk(index, journal.chunkSize, total) {
                state.chunks[index / 8] |= 1 << UInt8(index % 8)
                state.hashes.append(contentsOf: piece.digest)
            } else {
                state.parts.append(
                    State.Part(start: piece.span.lowerBound, end: piece.span.upperBound, hash: Data(piece.digest)))
            }
        }
        return state
    }

    private static func journal(_ order: DownloadOrder, _ state: State) -> DownloadJournal? {
        guard let total = state.file.total, total > 0, state.chunkSize > 0, state.parts.count <= maximumPieces,
            state.parts.allSatisfy({ 0 <= $0.start && $0.start < $0.end })
        else { return nil }
        var pieces = state.parts.map { Piece(span: $0.start..<$0.end, digest: Array($0.hash)) }
        let finished = (0..<state.chunks.count * 8).filter { state.chunks[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        guard state.hashes.count == finished.count * Piece.digestSize else { return nil }
        for (order, index) in finished.enumerated() {
            guard let span = chunk(index, state.chunkSize, total) else { return nil }
            let hash = state.hashes.dropFirst(order * Piece.digestSize).prefix(Piece.digestSize)
            pieces.append(Piece(span: span, digest: Array(hash)))
        }
        return DownloadJournal(
            order: order, file: state.file, chunkSize: state.chunkSize,
            pieces: pieces.sorted { $0.span.lowerBound < $1.span.lowerBound })
    }

    private static func chunk(_ index: Int, _ size: Int64, _ total: Int64) -> Range<Int64>? {
        let (start, isTooFar) = Int64(index).multipliedReportingOverflow(by: size)
        guard !isTooFar, start < total else { return nil }
        return start..<(total - start > size ? start + size : total)
    }

    private static func checksum(_ body: Data) -> String { Hexadecimal.text(SHA256.hash(data: body)) }
}
