import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// Compares the set with a set of single numbers, which is obviously correct.
@Suite struct ByteRangeSetTests {
    @Test(arguments: 1...Soak.rounds(50, soaking: 2000))
    func behavesLikeASetOfNumbers(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (set, numbers) = (ByteRangeSet(), Set<Int64>())
        for _ in 0..<60 {
            let start = Int64.random(in: 0..<80, using: &random)
            let range = start..<start + Int64.random(in: 0..<20, using: &random)
            if Bool.random(using: &random) {
                set.insert(contentsOf: range)
                numbers.formUnion(range)
            } else {
                set.remove(contentsOf: range)
                numbers.subtract(range)
            }
            expectSame(set, numbers, seed)
        }
    }

    private func expectSame(_ set: ByteRangeSet, _ numbers: Set<Int64>, _ seed: Int) {
        #expect(Set(set.ranges.flatMap { $0 }) == numbers, "seed \(seed)")
        #expect(set.byteCount == Int64(numbers.count))
        #expect(set.ranges.allSatisfy { !$0.isEmpty })
        #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        #expect(Set(set.missing(in: 0..<100).ranges.flatMap { $0 }) == Set(0..<100).subtracting(numbers))
        for offset in Int64(0)..<100 {
            var end = offset
            while numbers.contains(end) { end += 1 }
            #expect(set.contiguousEnd(from: offset) == end, "seed \(seed), from \(offset)")
        }
    }
}
