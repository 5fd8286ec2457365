import FeedCore
import Testing

struct KnownPositionTests {
    private static func position(_ sequence: Int64, _ epoch: String = "e") -> ChangePosition {
        ChangePosition(epoch: epoch, sequence: sequence)
    }

    @Test func positionIsToldOnce() {
        var known = KnownPosition()
        known.begin(at: Self.position(5))
        #expect(known.next(reached: Self.position(5)) == Self.position(5))
        #expect(known.next(reached: Self.position(5)) == nil)
        #expect(known.next(reached: Self.position(8)) == Self.position(8))
        known.recordSent(9)
        // The event has told it already, or does so soon.
        #expect(known.next(reached: Self.position(8)) == nil)
        #expect(known.next(reached: Self.position(9)) == nil)
        #expect(known.next(reached: Self.position(10)) == Self.position(10))
    }

    @Test func nothingIsToldDuringAReplay() {
        var known = KnownPosition()
        #expect(known.next(reached: Self.position(8)) == nil)
        known.begin(at: Self.position(7))
        #expect(known.next(reached: Self.position(6)) == Self.position(7))
    }

    /// An event may arrive before the end of the replay is known.
    @Test func eventBeforeTheStartCounts() {
        var known = KnownPosition()
        known.recordSent(9)
        known.begin(at: Self.position(7))
        #expect(known.next(reached: Self.position(8)) == nil)
        #expect(known.next(reached: Self.position(9)) == nil)
    }

    /// A subscriber of a log that has been restarted must learn of it when it connects again.
    @Test func otherEpochIsNotTold() {
        var known = KnownPosition()
        known.begin(at: Self.position(7))
        #expect(known.next(reached: Self.position(99, "f")) == Self.position(7))
        #expect(known.next(reached: Self.position(99, "f")) == nil)
    }
}
