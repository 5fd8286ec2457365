import Testing

@testable import FeedWeb

/// A timer behind a reference, since expectations cannot call mutating functions.
private final class Driver {
    private var timer = ConnectionTimer(limits: .init(), now: 0)

    var isBusy: Bool { timer.isBusy }
    var isDraining: Bool { timer.isDraining }

    func receivedHead(now: Int64) { timer.receivedHead(now: now) }
    func receivedBody(bytes: Int) -> Bool { timer.receivedBody(bytes: bytes) }
    func receivedEnd() { timer.receivedEnd() }
    func sentEnd(now: Int64) { timer.sentEnd(now: now) }
    func tick(now: Int64, buffered: Int, isWaiting: Bool) -> Bool {
        timer.tick(now: now, buffered: buffered, isWaiting: isWaiting)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct ConnectionTimerTests {
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
        #expect(!timer.tick(now: 61_000 - 1, buffered: 69_999, isWaiting: true))
        #expect(!timer.tick(now: 120_998, buffered: 69_999, isWaiting: true))
        #expect(timer.tick(now: 120_999, buffered: 69_999, isWaiting: true))
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
