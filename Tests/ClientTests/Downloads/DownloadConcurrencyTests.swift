import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite struct DownloadConcurrencyTests {
    /// Simulates a host whose rate for a number of connections is `rate(width)` bytes per second.
    private func run(
        _ rule: inout DownloadConcurrency, from start: Double = 0, seconds: Double, _ rate: (Int) -> Double
    ) -> [Int] {
        var (bytes, widths) = (0.0, [Int]())
        for step in 0..<Int(seconds * 10) {
            bytes += rate(rule.value) / 10
            rule.observe(now: start + Double(step) / 10, bytes: Int64(bytes), active: rule.value)
            if widths.last != rule.value { widths.append(rule.value) }
        }
        return widths
    }

    @Test func limitGrowsWhileTheRateIncreases() {
        var rule = DownloadConcurrency()
        let widths = run(&rule, seconds: 6) { Double($0) * 2e6 }
        #expect(widths == [1, 2, 4, 8])
    }

    @Test func saturatedLinkFallsBackToOneConnection() {
        var rule = DownloadConcurrency()
        let widths = run(&rule, seconds: 9) { _ in 5e6 }
        #expect(widths == [1, 2, 1])
    }

    @Test func limitStopsGrowingWhenTheGainIsSmall() {
        var rule = DownloadConcurrency()
        let widths = run(&rule, seconds: 9) { min(Double($0), 4.2) * 1e6 }
        #expect(widths == [1, 2, 4, 8, 4])
    }

    @Test func limitIsProbedAgainLater() {
        var rule = DownloadConcurrency()
        _ = run(&rule, seconds: 9) { _ in 5e6 }
        let widths = run(&rule, from: 30, seconds: 9) { Double($0) * 1e6 }
        #expect(widths == [1, 2, 4, 8])
    }

    @Test func throttlingReducesTheLimit() {
        var rule = DownloadConcurrency()
        _ = run(&rule, seconds: 6) { Double($0) * 2e6 }
        rule.throttle(now: 6)
        #expect(rule.value == 4)
        let widths = run(&rule, from: 6, seconds: 20) { Double($0) * 2e6 }
        #expect(widths == [4])
    }

    @Test func highLatencyStartsAtTheMaximum() {
        var (near, far) = (DownloadConcurrency(), DownloadConcurrency())
        near.responded(after: DownloadConcurrency.highLatency / 2)
        far.responded(after: DownloadConcurrency.highLatency)
        #expect(near.value == 1 && far.value == DownloadConcurrency.maximum)
        #expect(run(&far, seconds: 20) { _ in 5e6 } == [DownloadConcurrency.maximum])
    }

    /// A measurement or an explicit request outweighs one slow response.
    @Test func laterSlowResponseChangesNothing() {
        var (full, throttled) = (DownloadConcurrency(), DownloadConcurrency())
        _ = run(&full, seconds: 9) { _ in 5e6 }
        full.responded(after: 1)
        throttled.throttle(now: 0)
        throttled.responded(after: 1)
        #expect(full.value == 1 && throttled.value == 1)
    }

    /// The rate is not measured until connections have received data.
    @Test func rateIsNotMeasuredBeforeDataArrives() {
        var rule = DownloadConcurrency()
        for step in 0..<100 { rule.observe(now: Double(step), bytes: Int64(step) << 20, active: 0) }
        #expect(rule.value == 1)
    }

    @Test(arguments: 1...200)
    func limitStaysWithinItsBounds(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (rule, bytes, now) = (DownloadConcurrency(), Int64(0), 0.0)
        for _ in 0..<300 {
            now += Double.random(in: 0...0.7, using: &random)
            bytes += Int64.random(in: 0...10_000_000, using: &random)
            if Int.random(in: 0..<30, using: &random) == 0 { rule.throttle(now: now) }
            rule.observe(now: now, bytes: bytes, active: Int.random(in: 0...10, using: &random))
            #expect((1...DownloadConcurrency.maximum).contains(rule.value))
        }
    }
}
