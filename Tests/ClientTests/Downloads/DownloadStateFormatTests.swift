import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// A journal is decoded exactly as it was encoded, or not at all.
@Suite struct DownloadStateFormatTests {
    /// A random valid journal.
    private static func journal(_ seed: Int) -> DownloadState {
        var random = SplitMix64(seed: seed)
        let total = Int64.random(in: 1...20_000_000, using: &random)
        let chunk = ChunkPolicy.size(of: total, wanted: Int64.random(in: 1...5_000_000, using: &random))
        var (ranges, offset) = ([HashedRange](), Int64(0))
        while offset < total {
            let end = min(total, (offset / chunk + 1) * chunk)
            let upper = Bool.random(using: &random) ? end : Int64.random(in: offset + 1...end, using: &random)
            let digest = Array(SampleBytes.make(HashedRange.digestSize, seed: UInt64(offset)))
            if Bool.random(using: &random) { ranges.append(HashedRange(range: offset..<upper, digest: digest)) }
            offset = upper
        }
        let file = FileIdentity(
            url: "https://b.example/f?\(seed)", validator: "\"é\(seed)\"", size: total,
            sha256: seed % 2 == 0 ? nil : "ab")
        return DownloadState(
            request: DownloadRequest(
                url: "https://a.example/ü", sha256: seed % 3 == 0 ? nil : "cd", replacesExisting: seed % 5 == 0),
            file: file,
            chunkSize: chunk, ranges: ranges)
    }

    @Test(arguments: 1...200)
    func journalsRoundTrip(_ seed: Int) throws {
        let journal = Self.journal(seed)
        #expect(try DownloadStateFormat.decode(DownloadStateFormat.encode(journal)) == .resumable(journal))
        #expect(
            try DownloadStateFormat.decode(DownloadStateFormat.encode(journal.request)) == .started(journal.request))
    }

    @Test(arguments: 1...40)
    func damageIsDetected(_ seed: Int) throws {
        var random = SplitMix64(seed: seed)
        let data = try DownloadStateFormat.encode(Self.journal(seed))
        for _ in 0..<200 {
            var damaged = data
            let index = Int.random(in: 0..<damaged.count, using: &random)
            damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(DownloadStateFormat.decode(damaged) == .damaged)
            #expect(DownloadStateFormat.decode(data.prefix(index)) == .damaged)
            #expect(DownloadStateFormat.decode(data + damaged.prefix(index + 1)) == .damaged)
        }
    }

    static let lies: [(String, @Sendable (inout DownloadState) -> Void)] = [
        ("no tag", { $0.file = FileIdentity(url: "u", validator: nil, size: 1 << 20, sha256: nil) }),
        ("no total", { $0.file = FileIdentity(url: "u", validator: "\"a\"", size: nil, sha256: nil) }),
        ("beyond the end", { $0.ranges = [HashedRange(range: 1 << 20..<(1 << 20) + 1, digest: digest)] }),
        ("nothing", { $0.ranges = [HashedRange(range: 5..<5, digest: digest)] }),
        ("over a chunk's end", { $0.ranges = [HashedRange(range: 65_000..<66_000, digest: digest)] }),
        (
            "twice",
            { $0.ranges = [HashedRange(range: 0..<9, digest: digest), HashedRange(range: 8..<10, digest: digest)] }
        ),
        ("half a hash", { $0.ranges = [HashedRange(range: 0..<9, digest: [1])] }),
        ("tiny chunks", { $0.chunkSize = 1 }),
    ]

    private static let digest = [UInt8](repeating: 7, count: HashedRange.digestSize)

    /// Also if the checksum is correct.
    @Test(arguments: lies.indices)
    func impossibleValuesAreRejected(_ index: Int) throws {
        let file = FileIdentity(url: "u", validator: "\"a\"", size: 1 << 20, sha256: nil)
        var journal = DownloadState(request: DownloadRequest(url: "u"), file: file, chunkSize: 64 << 10, ranges: [])
        #expect(journal.isValid)
        Self.lies[index].1(&journal)
        #expect(!journal.isValid, "\(Self.lies[index].0)")
        #expect(
            try DownloadStateFormat.decode(DownloadStateFormat.encode(journal)) == .damaged, "\(Self.lies[index].0)")
    }
}
