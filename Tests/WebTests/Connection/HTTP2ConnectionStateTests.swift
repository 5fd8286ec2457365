import FeedCore
import TestKit
import Testing

@testable import FeedWeb

/// A timer behind a reference, since expectations cannot call mutating functions.
private final class Driver {
    private var timer = HTTP2ConnectionState(limits: .init(), now: 0)

    func opened() { timer.opened() }
    func closed(now: Int64) { timer.closed(now: now) }
    func end() -> HTTP2ConnectionState.Action { timer.end() }
    func tick(now: Int64) -> HTTP2ConnectionState.Action { timer.tick(now: now) }
}

@Suite(.hangLimit)
struct HTTP2ConnectionStateTests {
    @Test func silentConnectionEnds() {
        let timer = Driver()
        #expect(timer.tick(now: 19_999) == .none)
        #expect(timer.tick(now: 20_000) == .goAway)
        #expect(timer.tick(now: 21_000) == .close)
    }

    @Test func idleConnectionEnds() {
        let timer = Driver()
        timer.opened()
        #expect(timer.tick(now: 1_000_000) == .none)
        timer.closed(now: 1_000_000)
        #expect(timer.tick(now: 1_074_999) == .none)
        #expect(timer.tick(now: 1_075_000) == .goAway)
        #expect(timer.tick(now: 1_076_000) == .close)
    }

    @Test func shutdownWaitsForStreams() {
        let timer = Driver()
        timer.opened()
        timer.opened()
        #expect(timer.end() == .goAway)
        #expect(timer.end() == .none)
        timer.closed(now: 10)
        #expect(timer.tick(now: 1000) == .none)
        timer.closed(now: 1500)
        #expect(timer.tick(now: 2000) == .close)
    }

    @Test func numberOfRequestsIsBounded() {
        let timer = Driver()
        for request in 0..<9_999 {
            timer.opened()
            if request > 0 { timer.closed(now: 10) }
        }
        #expect(timer.tick(now: 1000) == .none)
        timer.opened()
        #expect(timer.tick(now: 2000) == .goAway)
        #expect(timer.tick(now: 3000) == .none)
        timer.closed(now: 3500)
        timer.closed(now: 3500)
        #expect(timer.tick(now: 4000) == .close)
    }
}
