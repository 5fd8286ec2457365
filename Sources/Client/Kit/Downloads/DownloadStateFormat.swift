import Crypto
import Foundation

/// The format of the journal: a line of JSON, and a line with the SHA-256 of the first. A bitmap and a list of digests
/// represent complete chunks; shorter ranges are listed one by one.
enum DownloadStateFormat {
    static let format = "feedclient download 3"
    /// The maximum size in bytes; feedclient does not write larger journals.
    static let maximumSize = 4 << 20
    private static let maximumPartialRanges = 16_384

    private struct Page: Codable {
        var format: String
        var order: DownloadRequest
        /// The state; `nil` until some bytes are durable.
        var state: State?
    }

    private struct State: Codable {
        struct Part: Codable {
            var start: Int64
            var end: Int64
            var hash: Data
        }

        var file: FileIdentity
        var chunkSize: Int64
        /// Bit `n % 8` of byte `n / 8` represents chunk `n`.
        var chunks: Data
        var hashes: Data
        var parts: [Part]
    }

    private struct Header: Codable { var format: String }

    // MARK: Encoding

    /// Encodes a download of which no bytes are durable yet.
    static func encode(_ request: DownloadRequest) throws -> Data {
        try seal(Page(format: format, order: request, state: nil))
    }

    static func encode(_ journal: DownloadState) throws -> Data {
        try seal(Page(format: format, order: journal.request, state: state(of: journal)))
    }

    private static func seal(_ page: Page) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(page)
        return body + Data("\n\(checksum(body))\n".utf8)
    }

    private static func state(of journal: DownloadState) -> State {
        let size = journal.file.size ?? 0
        var state = State(
            file: journal.file, chunkSize: journal.chunkSize,
            chunks: Data(count: Int((size / journal.chunkSize + 8) / 8)), hashes: Data(), parts: [])
        for hashed in journal.ranges {
            let index = Int(hashed.range.lowerBound / journal.chunkSize)
            if hashed.range == chunk(index, journal.chunkSize, size) {
                state.chunks[index / 8] |= 1 << UInt8(index % 8)
                state.hashes.append(contentsOf: hashed.digest)
            } else {
                let (start, end) = (hashed.range.lowerBound, hashed.range.upperBound)
                state.parts.append(State.Part(start: start, end: end, hash: Data(hashed.digest)))
            }
        }
        return state
    }

    // MARK: Decoding

    /// Decodes the content of a journal; anything inconsistent counts as damaged.
    static func decode(_ data: Data) -> DownloadStateFile {
        guard data.count <= maximumSize, let split = data.firstIndex(of: 10) else { return .damaged }
        let body = Data(data[..<split])
        guard data[data.index(after: split)...] == Data("\(checksum(body))\n".utf8),
            let header = try? JSONDecoder().decode(Header.self, from: body)
        else { return .damaged }
        guard header.format == format else { return .unsupportedFormat }
        guard let page = try? JSONDecoder().decode(Page.self, from: body) else { return .damaged }
        guard let state = page.state else { return .started(page.order) }
        guard let journal = journal(page.order, state), journal.isValid else { return .damaged }
        return .resumable(journal)
    }

    private static func journal(_ request: DownloadRequest, _ state: State) -> DownloadState? {
        guard let size = state.file.size, size > 0, state.chunkSize > 0, state.parts.count <= maximumPartialRanges,
            state.parts.allSatisfy({ 0 <= $0.start && $0.start < $0.end }),
            let chunks = chunks(state, size)
        else { return nil }
        let parts = state.parts.map { HashedRange(range: $0.start..<$0.end, digest: Array($0.hash)) }
        return DownloadState(
            request: request, file: state.file, chunkSize: state.chunkSize,
            ranges: (parts + chunks).sorted { $0.range.lowerBound < $1.range.lowerBound })
    }

    private static func chunks(_ state: State, _ size: Int64) -> [HashedRange]? {
        let indices = (0..<state.chunks.count * 8).filter { state.chunks[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        guard state.hashes.count == indices.count * HashedRange.digestSize else { return nil }
        let ranges = indices.compactMap { chunk($0, state.chunkSize, size) }
        guard ranges.count == indices.count else { return nil }
        return ranges.enumerated().map { position, range in
            let digest = state.hashes.dropFirst(position * HashedRange.digestSize).prefix(HashedRange.digestSize)
            return HashedRange(range: range, digest: Array(digest))
        }
    }

    /// The bytes of a chunk, or `nil` beyond the end of the file.
    private static func chunk(_ index: Int, _ chunkSize: Int64, _ size: Int64) -> Range<Int64>? {
        let (start, overflows) = Int64(index).multipliedReportingOverflow(by: chunkSize)
        guard !overflows, start < size else { return nil }
        return start..<(size - start > chunkSize ? start + chunkSize : size)
    }

    private static func checksum(_ body: Data) -> String { Hex.text(SHA256.hash(data: body)) }
}

/// Hexadecimal text.
enum Hex {
    /// Two lowercase digits per byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether a text consists of a certain number of lowercase digits.
    static func isText(_ text: some StringProtocol, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy(isDigit)
    }

    /// Whether a byte is a lowercase digit.
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
