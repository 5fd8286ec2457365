import FeedCore
import FeedTestSupport
import Foundation
import NIOCore
import Testing

@testable import FeedWeb

struct EventEncoderTests {
    private static func object(_ buffer: ByteBuffer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(buffer.readableBytesView)) as? [String: Any])
    }

    @Test func eventsAreLines() {
        let bytes = EventEncoder.serverSentEvents.bytes(
            .statusUpdate, data: Array("{\"id\":\"1\"}".utf8), position: "e-7")
        #expect(String(buffer: bytes) == "event: status.update\ndata: {\"id\":\"1\"}\nid: e-7\n\n")
    }

    /// Some clients read line by line, know no `id`, and take the line after `event` for the data.
    @Test(arguments: StreamEventType.allCases)
    func lineAfterTheNameIsTheData(event: StreamEventType) {
        let position = EventEncoder.serverSentEvents.bytes(event, data: Array("{}".utf8), position: "e-7")
        let end = StreamNotice.lastEvent(.shutdown, retryAfter: 1234)
        let stream = [StreamNotice.comment(at: nil), position, end].map { String(buffer: $0) }.joined()
        let read = EventStreamClient.readLineByLine(stream)
        #expect(read.map(\.name) == [event.rawValue, "shutdown"])
        #expect(read.first?.data == "{}" && read.last?["reason"] == StreamEnd.shutdown.rawValue)
    }

    /// As Mastodon's, with a further member `id`.
    @Test func messagesContainTheirPayloadAsText() throws {
        let encoding = EventEncoder.webSocket(stream: ["hashtag", "Bikes"])
        let payload = "{\"a\":\"\\\"\\n😀\"}"
        let message = try Self.object(encoding.bytes(.update, data: Array(payload.utf8), position: "e-7"))
        #expect(message["stream"] as? [String] == ["hashtag", "Bikes"] && message["event"] as? String == "update")
        #expect(message["payload"] as? String == payload && message["id"] as? String == "e-7")
        let filters = try Self.object(encoding.bytes(.filtersChanged, data: Array("{}".utf8), position: "e-8"))
        #expect(filters["payload"] == nil && filters["id"] as? String == "e-8")
        let delete = try Self.object(encoding.bytes(.delete, data: Array("12".utf8), position: "e-9"))
        #expect(delete["payload"] as? String == "12")
    }

    /// Some clients fail on fields outside of an event with a name and data.
    @Test(arguments: StreamEnd.allCases)
    func lastEventsAreEvents(end: StreamEnd) throws {
        let text = String(buffer: StreamNotice.lastEvent(end, retryAfter: 1234))
        #expect(text.hasPrefix("event: \(end == .shutdown ? "shutdown" : "dropped")\ndata: {"))
        #expect(text.hasSuffix("}\nretry: 1234\n\n") && text.contains("\"reason\":\"\(end.rawValue)\""))
        let message = try Self.object(StreamNotice.lastMessage(end, retryAfter: nil))
        let payload = try #require(message["payload"] as? String)
        #expect(try Self.object(ByteBuffer(string: payload))["reason"] as? String == end.rawValue)
    }

    @Test func commentIsOneLine() { #expect(String(buffer: StreamNotice.comment(at: nil)) == ":thump\n") }

    /// A comment for clients that know only LF as the end of a line, and the id of an event without data for others.
    @Test func commentWithAPositionIsOneLineForSomeClients() {
        let position = ChangePosition(epoch: "e", sequence: 7)
        #expect(String(buffer: StreamNotice.comment(at: position)) == ":thump\rid: e-7\r\r:\n")
    }

    /// Otherwise, all clients would connect again at the same time.
    @Test func clientsReturnAtDifferentTimes() {
        let delays = Set((0..<100).compactMap { _ in StreamEnd.shutdown.retryDelay })
        #expect(delays.count > 50 && delays.allSatisfy { $0 >= 1000 })
    }
}
