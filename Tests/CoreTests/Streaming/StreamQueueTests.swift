import FeedCore
import Testing

struct StreamQueueTests {
    @Test func eventsLeaveInTheirOrder() {
        var queue = StreamQueue<Int>(maximumBytes: 10_000)
        var next = 0
        for number in 0..<500 {
            #expect(queue.append(number, bytes: 1) == true)
            // Half of them leave while others arrive.
            if number.isMultiple(of: 2) {
                #expect(queue.next() == next)
                next += 1
            }
        }
        while let event = queue.next() {
            #expect(event == next)
            next += 1
        }
        #expect(next == 500 && queue.isEmpty && queue.bytes == 0)
    }

    @Test func bytesAreLimited() {
        var queue = StreamQueue<Int>(maximumBytes: 100)
        #expect(queue.append(1, bytes: 60) == true)
        #expect(queue.append(2, bytes: 40) == true)
        #expect(queue.append(3, bytes: 1) == false)
        #expect(queue.count == 2 && queue.bytes == 100)
        #expect(queue.next() == 1)
        #expect(queue.append(4, bytes: 60) == true)
        #expect(queue.append(5, bytes: 1) == false)
    }

    @Test func numberIsLimited() {
        var queue = StreamQueue<Int>(maximumCount: 3)
        for number in 0..<3 { #expect(queue.append(number, bytes: 0) == true) }
        #expect(queue.append(3, bytes: 0) == false)
    }

    /// Otherwise, a client could never receive it.
    @Test func oneLargeEventFits() {
        var queue = StreamQueue<Int>(maximumBytes: 10)
        #expect(queue.append(1, bytes: .max) == true)
        #expect(queue.append(2, bytes: 1) == false)
        #expect(queue.append(2, bytes: .max) == false)
        #expect(queue.next() == 1)
        #expect(queue.bytes == 0)
    }
}

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
