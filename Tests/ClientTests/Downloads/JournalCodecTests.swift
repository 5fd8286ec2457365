import FeedTestSupport
import Foundation
import Testing

@testable import FeedClientKit

/// What stands in the journal is what was written, or nothing.
@Suite struct JournalCodecTests {
    /// Any journal that can be true.
    private static func journal(_ seed: Int) -> DownloadJournal {
        var random = SplitMix64(seed: seed)
        let total = Int64.random(in: 1...20_000_000, using: &random)
        let chunk = ChunkRule.size(total: total, wanted: Int64.random(in: 1...5_000_000, using: &random))
        var (pieces, offset) = ([Piece](), Int64(0))
        while offset < total {
            let end = min(total, (offset / chunk + 1) * chunk)
            let upper = Bool.random(using: &random) ? end : Int64.random(in: offset + 1...end, using: &random)
            let digest = Array(SampleBytes.make(Piece.digestSize, seed: UInt64(offset)))
            if Bool.random(using: &random) { pieces.append(Piece(span: offset..<upper, digest: digest)) }
            offset = upper
        }
        let file = Representation(
            url: "https://b.example/f?\(seed)", tag: "\"é\(seed)\"", total: total, digest: seed % 2 == 0 ? nil : "ab")
        return DownloadJournal(
            order: DownloadOrder(
                url: "https://a.example/ü", sha256: seed % 3 == 0 ? nil : "cd", replaces: seed % 5 == 0), file: file,
            chunkSize: chunk, pieces: pieces)
    }

    @Test(arguments: 1...200)
    func itComesBackAsItWas(_ seed: Int) throws {
        let journal = Self.journal(seed)
        #expect(try JournalCodec.decode(JournalCodec.encode(journal)) == .journal(journal))
        #expect(try JournalCodec.decode(JournalCodec.encode(journal.order)) == .begun(journal.order))
    }

    @Test(arguments: 1...40)
    func noDamageIsBelieved(_ seed: Int) throws {
        var random = SplitMix64(seed: seed)
        let data = try JournalCodec.encode(Self.journal(seed))
        for _ in 0..<200 {
            var damaged = data
            let index = Int.random(in: 0..<damaged.count, using: &random)
            damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(JournalCodec.decode(damaged) == .damaged)
            #expect(JournalCodec.decode(data.prefix(index)) == .damaged)
            #expect(JournalCodec.decode(data + damaged.prefix(index + 1)) == .damaged)
        }
    }

    static let lies: [(String, @Sendable (inout DownloadJournal) -> Void)] = [
        ("no tag", { $0.file = Representation(url: "u", tag: nil, total: 1 << 20, digest: nil) }),
        ("no total", { $0.file = Representation(url: "u", tag: "\"a\"", total: nil, digest: nil) }),
        ("beyond the end", { $0.pieces = [Piece(span: 1 << 20..<(1 << 20) + 1, digest: digest)] }),
        ("nothing", { $0.pieces = [Piece(span: 5..<5, digest: digest)] }),
        ("over a chunk's end", { $0.pieces = [Piece(span: 65_000..<66_000, digest: digest)] }),
        ("twice", { $0.pieces = [Piece(span: 0..<9, digest: digest), Piece(span: 8..<10, digest: digest)] }),
        ("half a hash", { $0.pieces = [Piece(span: 0..<9, digest: [1])] }),
        ("tiny chunks", { $0.chunkSize = 1 }),
    ]

    private static let digest = [UInt8](repeating: 7, count: Piece.digestSize)

    /// With a right checksum, too.
    @Test(arguments: lies.indices)
    func whatCannotBeTrueIsNotBelieved(_ index: Int) throws {
        let file = Representation(url: "u", tag: "\"a\"", total: 1 << 20, digest: nil)
        var journal = DownloadJournal(order: DownloadOrder(url: "u"), file: file, chunkSize: 64 << 10, pieces: [])
        #expect(journal.isSound)
        Self.lies[index].1(&journal)
        #expect(!journal.isSound, "\(Self.lies[index].0)")
        #expect(try JournalCodec.decode(JournalCodec.encode(journal)) == .damaged, "\(Self.lies[index].0)")
    }
}

/// Pieces are what they say, however the bytes came.
@Suite struct StretchTests {
    @Test(arguments: 1...100)
    func chunksAreHashedTheSameInAnyPortions(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let bytes = Array(SampleBytes.make(300_000, seed: UInt64(seed)))
        let start = Int64.random(in: 0..<100_000, using: &random)
        var (stretch, pieces, offset) = (Stretch(start: start), [Piece](), 0)
        while offset < bytes.count {
            let count = min(Int.random(in: 1...90_000, using: &random), bytes.count - offset)
            bytes[offset..<offset + count].withUnsafeBytes { pieces += stretch.append($0, chunkSize: 65_536) }
            offset += count
        }
        var ends = start
        for piece in pieces + (stretch.span.isEmpty ? [] : [Piece(stretch)]) {
            #expect(piece.span.lowerBound == ends)
            var alone = Stretch(start: piece.span.lowerBound)
            let range = Int(piece.span.lowerBound - start)..<Int(piece.span.upperBound - start)
            bytes[range].withUnsafeBytes { alone.append($0) }
            #expect(Piece(alone) == piece)
            #expect(piece.span.lowerBound / 65_536 == (piece.span.upperBound - 1) / 65_536)
            ends = piece.span.upperBound
        }
        #expect(ends == start + Int64(bytes.count))
    }
}
