import FeedCore
import Testing

struct EventBufferTests {
    @Test func eventsLeaveInTheirOrder() {
        var buffer = EventBuffer<Int>(maximumBytes: 10_000)
        var next = 0
        for number in 0..<500 {
            #expect(buffer.append(number, bytes: 1) == true)
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
        #expect(buffer.append(1, bytes: 60) == true)
        #expect(buffer.append(2, bytes: 40) == true)
        #expect(buffer.append(3, bytes: 1) == false)
        #expect(buffer.count == 2 && buffer.bytes == 100)
        #expect(buffer.next() == 1)
        #expect(buffer.append(4, bytes: 60) == true)
        #expect(buffer.append(5, bytes: 1) == false)
    }

    @Test func numberIsLimited() {
        var buffer = EventBuffer<Int>(maximumCount: 3)
        for number in 0..<3 { #expect(buffer.append(number, bytes: 0) == true) }
        #expect(buffer.append(3, bytes: 0) == false)
    }

    /// Otherwise, a client could never receive it.
    @Test func oneLargeEventFits() {
        var buffer = EventBuffer<Int>(maximumBytes: 10)
        #expect(buffer.append(1, bytes: .max) == true)
        #expect(buffer.append(2, bytes: 1) == false)
        #expect(buffer.append(2, bytes: .max) == false)
        #expect(buffer.next() == 1)
        #expect(buffer.bytes == 0)
    }
}
