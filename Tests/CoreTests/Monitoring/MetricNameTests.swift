import FeedCore
import Testing

@Suite struct EventRateTests {
    @Test func averageCoversTheLastMinute() {
        var requests = EventRate(now: 0)
        #expect(requests.rate(0, now: 0) == 0)
        #expect(requests.rate(50, now: 10_000) == 5)
        // 100 requests per second for a minute, then none.
        for second in stride(from: Int64(5), through: 60, by: 5) { requests.add(second * 100, now: second * 1000) }
        #expect(requests.rate(6000, now: 60_000) == 100)
        for second in stride(from: Int64(65), through: 180, by: 5) { requests.add(6000, now: second * 1000) }
        #expect(requests.rate(6000, now: 180_000) == 0)
        #expect(requests.rate(6060, now: 180_000) == 1)
    }

    @Test func samplesAreBoundedAndNothingTraps() {
        var requests = EventRate(now: 0)
        for time in 0..<10_000 { requests.add(Int64(time), now: Int64(time)) }
        #expect(requests.rate(9_999, now: 9_999) > 0)
        #expect(requests.rate(0, now: 20_000) == 0)
        #expect(requests.rate(5, now: -1) == 0)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), Int64(1_000_000)), (.nanoseconds(7), 7), (.zero, 0), (.seconds(Int64.max), .max),
        (.seconds(3600), 3_600_000_000_000),
    ])
    func durationsAreNanoseconds(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanoseconds == nanoseconds)
    }
}
