import FeedTestSupport
import Testing

@testable import FeedClientKit

/// Against a set of single numbers, which cannot be wrong.
@Suite struct SpanSetTests {
    @Test(arguments: 1...200)
    func itIsTheSameAsASetOfNumbers(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (spans, numbers) = (SpanSet(), Set<Int64>())
        for _ in 0..<60 {
            let start = Int64.random(in: 0..<80, using: &random)
            let span = start..<start + Int64.random(in: 0..<20, using: &random)
            if Bool.random(using: &random) {
                spans.insert(span)
                numbers.formUnion(span)
            } else {
                spans.remove(span)
                numbers.subtract(span)
            }
            expectSame(spans, numbers, seed)
        }
    }

    private func expectSame(_ spans: SpanSet, _ numbers: Set<Int64>, _ seed: Int) {
        #expect(Set(spans.spans.flatMap { $0 }) == numbers, "seed \(seed)")
        #expect(spans.count == Int64(numbers.count))
        #expect(spans.spans.allSatisfy { !$0.isEmpty })
        #expect(zip(spans.spans, spans.spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        #expect(Set(spans.missing(in: 0..<100).spans.flatMap { $0 }) == Set(0..<100).subtracting(numbers))
        for offset in Int64(0)..<100 {
            var end = offset
            while numbers.contains(end) { end += 1 }
            #expect(spans.end(from: offset) == end, "seed \(seed), from \(offset)")
        }
    }
}
