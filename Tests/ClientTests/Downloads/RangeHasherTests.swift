import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Hashed ranges have the right bounds and digests, however the bytes arrive.
@Suite struct RangeHasherTests {
    @Test(arguments: 1...100)
    func hashesDoNotDependOnHowTheBytesArrive(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let bytes = Array(SampleBytes.make(300_000, seed: UInt64(seed)))
        let start = Int64.random(in: 0..<100_000, using: &random)
        var (hasher, ranges, offset) = (RangeHasher(start: start), [HashedRange](), 0)
        while offset < bytes.count {
            let count = min(Int.random(in: 1...90_000, using: &random), bytes.count - offset)
            bytes[offset..<offset + count].withUnsafeBytes { ranges += hasher.append($0, chunkSize: 65_536) }
            offset += count
        }
        var ends = start
        for hashed in ranges + (hasher.range.isEmpty ? [] : [HashedRange(hasher)]) {
            #expect(hashed.range.lowerBound == ends)
            let range = Int(hashed.range.lowerBound - start)..<Int(hashed.range.upperBound - start)
            #expect(Hex.text(hashed.digest) == Checksum.sha256(Data(bytes[range])).prefix(32))
            #expect(hashed.range.lowerBound / 65_536 == (hashed.range.upperBound - 1) / 65_536)
            ends = hashed.range.upperBound
        }
        #expect(ends == start + Int64(bytes.count))
    }
}
