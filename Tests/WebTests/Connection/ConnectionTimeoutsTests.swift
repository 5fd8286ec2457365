import FeedCore
import TestKit
import Testing

@testable import FeedWeb

/// A timer behind a reference, since expectations cannot call mutating functions.
private final class Driver {
    private var timer: ConnectionTimeouts

    init(_ limits: ConnectionLimits = ConnectionLimits()) { timer = ConnectionTimeouts(limits: limits, now: 0) }

    var isExhausted: Bool { timer.isExhausted }
    var isLastResponse: Bool { timer.isLastResponse }
    var isBusy: Bool { timer.isBusy }
    var isDraining: Bool { timer.isDraining }

    func receivedHead(now: Int64) { timer.receivedHead(now: now) }
    func receivedBody(bytes: Int) -> Bool { timer.receivedBody(bytes: bytes) }
    func receivedEnd() { timer.receivedEnd() }
    func sentEnd(now: Int64) { timer.sentEnd(now: now) }
    func tick(now: Int64, buffered: Int, acknowledged: Int64? = nil, isWaiting: Bool) -> Bool {
        timer.tick(now: now, buffered: buffered, acknowledged: acknowledged, isWaiting: isWaiting)
    }
}

@Suite(.hangLimit)
struct ConnectionTimeoutsTests {
    @Test func firstHeadTimesOut() {
        let timer = Driver()
        #expect(!timer.tick(now: 19_999, buffered: 0, isWaiting: true))
        #expect(timer.tick(now: 20_000, buffered: 0, isWaiting: true))
    }

    @Test func idleConnectionTimesOut() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        timer.sentEnd(now: 1000)
        #expect(!timer.tick(now: 75_999, buffered: 0, isWaiting: true))
        #expect(timer.tick(now: 76_000, buffered: 0, isWaiting: true))
    }

    /// The end of a response may take long to reach a slow reader.
    @Test func waitingForTheReaderIsNotIdleTime() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        timer.sentEnd(now: 1000)
        for second in Int64(2)...200 {
            let left = 1_000_000 - Int(second) * 1000
            #expect(!timer.tick(now: second * 1000, buffered: left, isWaiting: true))
        }
        #expect(!timer.tick(now: 274_999, buffered: 0, isWaiting: true))
        #expect(timer.tick(now: 275_000, buffered: 0, isWaiting: true))
    }

    @Test func longResponseIsNotIdleTime() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        #expect(timer.isBusy)
        #expect(!timer.tick(now: 10_000_000, buffered: 0, isWaiting: true))
    }

    @Test func slowBodyTimesOutOnlyWhileTheServerWaits() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        for second in Int64(1)..<30 {
            _ = timer.receivedBody(bytes: 1)
            #expect(!timer.tick(now: second * 1000, buffered: 0, isWaiting: true))
        }
        #expect(timer.tick(now: 30_000, buffered: 0, isWaiting: true))
        let patient = Driver()
        patient.receivedHead(now: 0)
        #expect(!patient.tick(now: 29_000, buffered: 0, isWaiting: false))
        #expect(!patient.tick(now: 58_000, buffered: 0, isWaiting: true))
        #expect(patient.tick(now: 59_000, buffered: 0, isWaiting: true))
    }

    @Test func fastBodyNeverTimesOut() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        for step in Int64(1)...100 {
            _ = timer.receivedBody(bytes: 5000)
            #expect(!timer.tick(now: step * 30_000, buffered: 0, isWaiting: true))
        }
    }

    @Test func stalledReaderIsDisconnected() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        #expect(!timer.tick(now: 1000, buffered: 70_000, isWaiting: true))
        #expect(!timer.tick(now: 60_999, buffered: 70_000, isWaiting: true))
        #expect(timer.tick(now: 61_000, buffered: 70_000, isWaiting: true))
    }

    /// The bytes that a reader takes in a minute, as they leave the buffer or as the client acknowledges them.
    @Test(arguments: [(0, true), (1, true), (4095, true), (4096, false), (1_000_000, false)], [false, true])
    func slowReaderIsDisconnected(row: (taken: Int, isSlow: Bool), isAcknowledged: Bool) {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        #expect(!timer.tick(now: 1000, buffered: 2_000_000, acknowledged: isAcknowledged ? 1 : nil, isWaiting: true))
        let left = isAcknowledged ? 2_000_000 : 2_000_000 - row.taken
        let acknowledged = isAcknowledged ? Int64(1 + row.taken) : nil
        #expect(!timer.tick(now: 30_000, buffered: left, acknowledged: acknowledged, isWaiting: true))
        #expect(timer.tick(now: 61_000, buffered: left, acknowledged: acknowledged, isWaiting: true) == row.isSlow)
    }

    /// Bytes that the server adds to the buffer do not hide those that the client takes.
    @Test func fullBufferIsNotASlowReader() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        for second in Int64(1)...300 {
            let buffered = second % 2 == 0 ? 64_000 : 63_000
            #expect(!timer.tick(now: second * 1000, buffered: buffered, isWaiting: true))
        }
        #expect(!timer.tick(now: 301_000, buffered: 0, isWaiting: true))
        // The time without a buffered response does not count.
        #expect(!timer.tick(now: 900_000, buffered: 10, isWaiting: true))
        #expect(!timer.tick(now: 959_000, buffered: 10, isWaiting: true))
        #expect(timer.tick(now: 960_000, buffered: 10, isWaiting: true))
    }

    @Test func requestsAreCounted() {
        var limits = ConnectionLimits()
        limits.requests = 3
        let timer = Driver(limits)
        for _ in 0..<2 {
            timer.receivedHead(now: 0)
            timer.receivedEnd()
            #expect(!timer.isExhausted && !timer.isLastResponse)
        }
        timer.receivedHead(now: 0)
        timer.receivedEnd()
        #expect(timer.isExhausted && !timer.isLastResponse)
        timer.sentEnd(now: 0)
        timer.sentEnd(now: 0)
        #expect(timer.isLastResponse)
    }

    @Test func bodyIsDrainedBrieflyAfterARejection() {
        let timer = Driver()
        timer.receivedHead(now: 0)
        timer.sentEnd(now: 10)
        #expect(timer.isDraining)
        #expect(!timer.receivedBody(bytes: 16 << 20))
        #expect(timer.receivedBody(bytes: 1))
        #expect(!timer.tick(now: 5009, buffered: 0, isWaiting: true))
        #expect(timer.tick(now: 5010, buffered: 0, isWaiting: true))
        timer.receivedEnd()
        #expect(!timer.isDraining)
    }

    @Test(arguments: ["a", "a.b:80", "[::1]", "[::1]:8080", "127.0.0.1:1", "x_y-z"])
    func validHostsAreAccepted(host: String) { #expect(BaseURL.isValid(host)) }

    @Test(arguments: ["", "a b", "a/b", "a:b", "a:", "a:123456", "[::1", "[x]", "a@b", "\"", "a\r\n", "é"])
    func invalidHostsAreRejected(host: String) { #expect(!BaseURL.isValid(host)) }
}
