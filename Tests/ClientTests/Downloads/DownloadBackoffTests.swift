import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite struct DownloadBackoffTests {
    @Test func budgetEndsWithoutProgress() {
        var budget = DownloadBackoff(3)
        let pauses = (0..<4).map { _ in budget.pause(retryAfter: nil, maximumWait: 60, jitter: 0.5) }
        #expect(pauses == [0.25, 0.5, 1, nil])
        #expect(budget.used == 3)
    }

    /// A transfer that receives at least a byte with every attempt may continue indefinitely.
    @Test func anyProgressRestoresOneAttempt() {
        var budget = DownloadBackoff(2)
        for _ in 0..<100 {
            let pause = budget.pause(retryAfter: nil, maximumWait: 60, jitter: 0)
            #expect(pause != nil)
            budget.progressed(1)
        }
    }

    @Test func significantProgressRestoresAllAttempts() {
        var budget = DownloadBackoff(5)
        while budget.pause(retryAfter: nil, maximumWait: 60, jitter: 0) != nil {}
        budget.progressed(10 << 20)
        let pauses = (0..<6).map { _ in budget.pause(retryAfter: nil, maximumWait: 60, jitter: 0) }
        #expect(pauses.count { $0 != nil } == 5)
    }

    @Test func retryAfterIsTheMinimumPause() {
        var budget = DownloadBackoff(5)
        let pauses = [7, 61].map { budget.pause(retryAfter: $0, maximumWait: 60, jitter: 0) }
        #expect(pauses == [7, nil])
        #expect(budget.remaining == 4, "an attempt that is not made does not count")
    }

    @Test(arguments: 1...100)
    func pausesGrowUpToTheirLimit(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var budget = DownloadBackoff(40)
        var ceiling = DownloadBackoff.initialPause
        while let pause = budget.pause(
            retryAfter: nil, maximumWait: 1, jitter: Double.random(in: 0..<1, using: &random))
        {
            #expect((0..<ceiling).contains(pause))
            ceiling = min(DownloadBackoff.maximumPause, ceiling * 2)
        }
    }
}
