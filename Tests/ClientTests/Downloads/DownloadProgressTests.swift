import Testing

@testable import FeedClientKit

/// The progress of several downloads as one, and the rate.
struct DownloadProgressTests {
    private static func progress(
        _ done: Int64, of total: Int64?, base: Int64 = 0, rate: Double? = nil, connections: Int = 1
    ) -> DownloadProgress {
        var progress = DownloadProgress()
        (progress.done, progress.total, progress.base) = (done, total, base)
        (progress.rate, progress.connections) = (rate, connections)
        return progress
    }

    @Test func totalIsKnownWhenThatOfEveryDownloadIs() {
        var totals = DownloadTotals(count: 2)
        totals.update(1, Self.progress(10, of: 100, base: 5, rate: 2))
        #expect(totals.progress.done == 10 && totals.progress.total == nil)
        totals.update(2, Self.progress(20, of: 50, rate: 3, connections: 2))
        let sum = totals.progress
        #expect(sum.done == 30 && sum.total == 150 && sum.base == 5 && sum.rate == 5 && sum.connections == 3)
        #expect(totals.ended == 0)
    }

    @Test func endedDownloadsKeepTheirBytes() {
        var totals = DownloadTotals(count: 3)
        totals.update(1, Self.progress(10, of: 100, rate: 9))
        totals.end(1, size: 100)
        totals.update(2, Self.progress(20, of: 50))
        totals.end(2, size: nil)
        // A late message of a download that has ended.
        totals.update(1, Self.progress(50, of: 100, rate: 9))
        totals.end(3, size: nil)
        let sum = totals.progress
        #expect(totals.ended == 3 && sum.done == 120 && sum.total == 120 && sum.rate == nil && sum.connections == 0)
    }

    @Test func hugeSizesDoNotOverflow() {
        var totals = DownloadTotals(count: 2)
        for id in 1...2 { totals.update(id, Self.progress(.max, of: .max, base: .max)) }
        let sum = totals.progress
        #expect(sum.done == .max && sum.total == .max && sum.base == .max)
    }

    @Test func oldMeasurementsAreForgotten() {
        var meter = RateMeter()
        #expect(meter.rate == nil)
        var bytes: Int64 = 0
        for step in 0..<100 {
            bytes += step < 50 ? 1_000_000 : 100
            meter.observe(now: Double(step) / 4, bytes: bytes)
        }
        #expect(meter.rate == 400)
    }

    @Test func restartResetsTheRate() {
        var meter = RateMeter()
        meter.observe(now: 0, bytes: 0)
        meter.observe(now: 1, bytes: 1000)
        meter.observe(now: 2, bytes: 0)
        #expect(meter.rate == nil)
    }
}
