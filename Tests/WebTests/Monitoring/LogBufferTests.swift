import FeedCore
import Testing

@testable import FeedWeb

/// The times at which lines of the log are written, and the lines that are dropped.
@Suite struct LogBufferTests {
    private static func request(path: String = "/health") -> LogLine {
        .request(
            AccessLogEntry(
                time: 1_700_000_000_123, id: "4k2m", method: "GET", path: path, status: 200, bytes: 2,
                microseconds: 1000, address: "127.0.0.1", user: nil, agent: nil), .text)
    }

    private static func text(_ batch: LogBuffer.Batch?) -> String {
        var (text, times): ([UInt8], LogTimes) = ([], LogTimes())
        for line in batch?.lines ?? [] { line.append(to: &text, times: &times) }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func requestsAreWrittenTogetherAndMessagesAtOnce() {
        var buffer = LogBuffer()
        #expect(buffer.add(Self.request()) == .writeSoon)
        #expect(buffer.add(Self.request()) == .none)
        #expect(buffer.add(.message("hello")) == .writeNow)
        #expect(buffer.add(.message("again")) == .none)
        #expect(buffer.add(Self.request()) == .none)
        let lines = Self.text(buffer.take()).split(separator: "\n")
        #expect(lines.count == 5 && lines[2] == "hello" && lines[3] == "again", "\(lines)")
        #expect(lines[4].hasPrefix("2023-11-14T22:13:20.123Z info request method=GET path=/health status=200 "))
        #expect(buffer.take() == nil)
        // The next line asks again.
        #expect(buffer.add(Self.request()) == .writeSoon)
        #expect(buffer.take()?.lines.count == 1)
        #expect(buffer.add(.message("x")) == .writeNow)
    }

    /// Even while nothing can be written, little is scheduled and the memory is bounded.
    @Test func memoryIsBoundedAndDroppedLinesAreCounted() {
        var buffer = LogBuffer()
        let path = "/" + String(repeating: "p", count: 1000)
        var actions: [LogBuffer.Action] = []
        for _ in 0..<5000 { actions.append(buffer.add(Self.request(path: path))) }
        #expect(actions.filter { $0 != .none } == [.writeSoon, .writeNow])
        // What is wrong can still be logged.
        #expect(buffer.add(.message("the disk is full")) == .none)
        for _ in 0..<5000 { _ = buffer.add(.message(path)) }
        let dropped = buffer.totalDropped
        let batch = buffer.take()
        let text = Self.text(batch)
        #expect(batch?.dropped == dropped && batch?.lines.count == 10_001 - dropped)
        #expect(text.utf8.count < LogBuffer.limit && text.utf8.count > LogBuffer.limit / 2)
        #expect(text.contains("the disk is full\n"))
        #expect(buffer.take() == nil && buffer.add(Self.request()) == .writeSoon)
        #expect(buffer.take()?.dropped == 0 && buffer.totalDropped == dropped)
    }

    @Test func linesThatCannotBeWrittenCountAsDropped() throws {
        var buffer = LogBuffer()
        for _ in 0..<3 { _ = buffer.add(Self.request()) }
        let failed = buffer.take()
        buffer.fail(try #require(failed))
        #expect(buffer.totalDropped == 3 && buffer.take() == nil)
        #expect(buffer.add(Self.request()) == .writeSoon)
        let again = buffer.take()
        #expect(again?.dropped == 3 && again?.lines.count == 1)
        // What was dropped before is not counted twice.
        buffer.fail(try #require(again))
        #expect(buffer.totalDropped == 4)
        _ = buffer.add(.message("works again"))
        #expect(buffer.take()?.dropped == 4)
    }
}
