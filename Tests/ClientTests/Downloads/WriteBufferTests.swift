import NIOCore
import Testing

@testable import FeedClientKit

@Suite struct WriteBufferTests {
    private static func bytes(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test func bufferIsDueWhenAllWantedBytesHaveArrived() {
        var buffer = WriteBuffer(10..<16)
        buffer.append(Self.bytes("abc"), now: 0)
        #expect(!buffer.isDue(now: 0))
        buffer.append(Self.bytes("def"), now: 0)
        #expect(buffer.isDue(now: 0) && buffer.remaining == 6)
    }

    @Test func truncationMakesTheBufferDueSooner() {
        var buffer = WriteBuffer(0..<100)
        buffer.append(Self.bytes("abc"), now: 0)
        buffer.truncate(to: 3)
        #expect(buffer.isDue(now: 0))
        buffer.truncate(to: 50)
        #expect(buffer.remaining == 3)
    }

    @Test func unwantedBytesAreDropped() {
        var buffer = WriteBuffer(5..<100)
        buffer.append(Self.bytes("abc"), now: 0)
        buffer.append(Self.bytes("def"), now: 0)
        let taken = buffer.take(4)
        #expect(taken.offset == 5 && taken.count == 4)
        #expect(taken.buffers.map { String(buffer: $0) } == ["abc", "d"])
        #expect(buffer.offset == 9 && buffer.count == 0 && buffer.buffers.isEmpty)
    }
}
