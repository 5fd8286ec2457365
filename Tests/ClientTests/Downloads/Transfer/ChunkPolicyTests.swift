import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite struct ChunkPolicyTests {
    private static let sizes: [(total: Int64, wanted: Int64?, size: Int64)] = [
        (0, nil, 4 << 20), (1, nil, 4 << 20), (16 << 30, nil, 4 << 20), (16 << 30 | 1, nil, 8 << 20),
        (1 << 40, nil, 256 << 20), (1 << 20, 512 << 10, 512 << 10), (1 << 20, 1, 64 << 10),
        (1 << 30, 64 << 10, 256 << 10), (.max, nil, 1 << 51), (.max, 1, 1 << 51),
    ]

    @Test func chunkSizeFitsTheFile() {
        for row in Self.sizes { #expect(ChunkPolicy.size(of: row.total, wanted: row.wanted) == row.size, "\(row)") }
    }

    @Test(arguments: 1...500)
    func numberOfChunksIsBounded(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let total = Int64.random(in: 1 ... .max >> Int64.random(in: 0...50, using: &random), using: &random)
        let wanted = Bool.random(using: &random) ? nil : Int64.random(in: 1...1 << 40, using: &random)
        let size = ChunkPolicy.size(of: total, wanted: wanted)
        #expect((total - 1) / size < ChunkPolicy.maximumCount && size >= ChunkPolicy.minimumSize && size >= wanted ?? 0)
    }

    @Test func smallFilesUseOneConnectionUnlessACountIsSet() {
        #expect(!ChunkPolicy.isShared(size: 16 << 20 - 1, isFixedCount: false))
        #expect(ChunkPolicy.isShared(size: 16 << 20, isFixedCount: false))
        #expect(ChunkPolicy.isShared(size: 512 << 10, isFixedCount: true))
        #expect(!ChunkPolicy.isShared(size: 512 << 10 - 1, isFixedCount: true))
    }
}
