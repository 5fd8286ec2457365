import FeedCore
import Testing

struct EventBufferTests {
    @Test func eventsLeaveInTheirOrder() {
        var buffer = EventBuffer<Int>(maximumBytes: 10_000)
        var next = 0
        for number in 0..<500 {
            #expect(buffer.append(number, bytes: 1))
            // Half of them leave while others arrive.
            if number.isMultiple(of: 2) {
                #expect(buffer.next() == next)
                next += 1
            }
        }
        while let event = buffer.next() {
            #expect(event == next)
            next += 1
        }
        #expect(next == 500 && buffer.isEmpty && buffer.bytes == 0)
    }

    @Test func bytesAreLimited() {
        var buffer = EventBuffer<Int>(maximumBytes: 100)
        #expect(buffer.append(1, bytes: 60) && buffer.append(2, bytes: 40))
        #expect(!buffer.append(3, bytes: 1))
        #expect(buffer.count == 2 && buffer.bytes == 100)
        #expect(buffer.next() == 1)
        #expect(buffer.append(4, bytes: 60) && !buffer.append(5, bytes: 1))
    }

    @Test func numberIsLimited() {
        var buffer = EventBuffer<Int>(maximumCount: 3)
        for number in 0..<3 { #expect(buffer.append(number, bytes: 0)) }
        #expect(!buffer.append(3, bytes: 0))
    }

    /// Otherwise, a client could never receive it.
    @Test func oneLargeEventFits() {
        var buffer = EventBuffer<Int>(maximumBytes: 10)
        #expect(buffer.append(1, bytes: .max))
        #expect(!buffer.append(2, bytes: 1) && !buffer.append(2, bytes: .max))
        #expect(buffer.next() == 1 && buffer.bytes == 0)
    }
}
