import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct ConnectionLimitsTests {
    @Test func onlyShorterTimeoutsAreExtended() {
        var limits = ConnectionLimits()
        limits.extend(to: 30_000)
        #expect(limits.handshake == 30_000 && limits.firstHead == 30_000 && limits.drain == 30_000)
        let standard = ConnectionLimits()
        #expect(limits.nextHead == standard.nextHead && limits.bodyWindow == standard.bodyWindow)
        #expect(limits.readWindow == standard.readWindow && limits.refusalTime == standard.refusalTime)
        limits = standard
        limits.extend(to: 0)
        #expect(limits == standard)
    }
}
