import FeedTestSupport
import Testing

@testable import FeedClientKit

@Suite struct RateMeterTests {
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
