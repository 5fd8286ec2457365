import NIOCore
import Testing

@testable import FeedClientKit

@Suite struct BatchTests {
    private static func bytes(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test func itIsDueWhenAllThatIsWantedIsThere() {
        var batch = Batch(10..<16)
        batch.append(Self.bytes("abc"))
        #expect(!batch.isDue)
        batch.append(Self.bytes("def"))
        #expect(batch.isDue && batch.room == 6)
    }

    @Test func itIsDueSoonerWhenOthersTookOver() {
        var batch = Batch(0..<100)
        batch.append(Self.bytes("abc"))
        batch.narrow(to: 3)
        #expect(batch.isDue)
        batch.narrow(to: 50)
        #expect(batch.room == 3)
    }

    @Test func whatIsNotWantedIsDropped() {
        var batch = Batch(5..<100)
        batch.append(Self.bytes("abc"))
        batch.append(Self.bytes("def"))
        let taken = batch.take(4)
        #expect(taken.offset == 5 && taken.count == 4)
        #expect(taken.buffers.map { String(buffer: $0) } == ["abc", "d"])
        #expect(batch.offset == 9 && batch.count == 0 && batch.buffers.isEmpty)
    }
}
