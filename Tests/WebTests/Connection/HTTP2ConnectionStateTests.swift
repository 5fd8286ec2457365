import FeedCore
import TestKit
import Testing

@testable import FeedWeb

/// A state behind a reference, since expectations cannot call mutating functions.
private final class Driver {
    private var state = HTTP2ConnectionState(limits: .init(), now: 0)

    func opened() { state.opened() }
    func closed(now: Int64) { state.closed(now: now) }
    func end() -> HTTP2ConnectionState.Action { state.end() }
    func tick(now: Int64) -> HTTP2ConnectionState.Action { state.tick(now: now) }
}

@Suite(.hangLimit)
struct HTTP2ConnectionStateTests {
    @Test func silentConnectionEnds() {
        let state = Driver()
        #expect(state.tick(now: 19_999) == .none)
        #expect(state.tick(now: 20_000) == .goAway)
        #expect(state.tick(now: 21_000) == .close)
    }

    @Test func idleConnectionEnds() {
        let state = Driver()
        state.opened()
        #expect(state.tick(now: 1_000_000) == .none)
        state.closed(now: 1_000_000)
        #expect(state.tick(now: 1_074_999) == .none)
        #expect(state.tick(now: 1_075_000) == .goAway)
        #expect(state.tick(now: 1_076_000) == .close)
    }

    @Test func shutdownWaitsForStreams() {
        let state = Driver()
        state.opened()
        state.opened()
        #expect(state.end() == .goAway)
        #expect(state.end() == .none)
        state.closed(now: 10)
        #expect(state.tick(now: 1000) == .none)
        state.closed(now: 1500)
        #expect(state.tick(now: 2000) == .close)
    }

    @Test func numberOfRequestsIsBounded() {
        let state = Driver()
        for request in 0..<9_999 {
            state.opened()
            if request > 0 { state.closed(now: 10) }
        }
        #expect(state.tick(now: 1000) == .none)
        state.opened()
        #expect(state.tick(now: 2000) == .goAway)
        #expect(state.tick(now: 3000) == .none)
        state.closed(now: 3500)
        state.closed(now: 3500)
        #expect(state.tick(now: 4000) == .close)
    }
}
