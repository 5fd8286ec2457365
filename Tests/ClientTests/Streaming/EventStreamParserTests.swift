import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// The format of server-sent events (WHATWG HTML §9.2.6).
@Suite(.hangLimit)
struct EventStreamParserTests {
    /// A stream and the events in it, as `type|data|id`.
    struct Sample: Sendable, CustomTestStringConvertible {
        let stream: String
        let events: [String]
        var lastEventID = ""
        var reconnectionTime: Int?

        var testDescription: String { stream.debugDescription }
    }

    static let samples: [Sample] = [
        // The examples of the standard.
        Sample(stream: "data: YHOO\ndata: +2\ndata: 10\n\n", events: ["message|YHOO\n+2\n10|"]),
        Sample(
            stream: ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            events: ["message|first event|1", "message|second event|", "message| third event|"]),
        Sample(stream: "data\n\ndata\ndata\n\ndata:", events: ["message||", "message|\n|"]),
        Sample(stream: "data:test\n\ndata: test\n\n", events: ["message|test|", "message|test|"]),
        // Ends of lines.
        Sample(stream: "event: a\r\ndata: 1\r\n\r\nevent: b\r\ndata: 2\r\n\r\n", events: ["a|1|", "b|2|"]),
        Sample(stream: "data: 1\r\rdata: 2\r\r", events: ["message|1|", "message|2|"]),
        Sample(stream: "data: 1\r\n\ndata: 2\n\r\n", events: ["message|1|", "message|2|"]),
        Sample(stream: "data: 1\n\r\ndata: 2\r\n\r", events: ["message|1|", "message|2|"]),
        // The byte order mark is ignored only once, at the beginning.
        Sample(stream: "\u{FEFF}data: 1\n\n", events: ["message|1|"]),
        Sample(stream: "\u{FEFF}\u{FEFF}data: 1\n\n", events: []),
        Sample(stream: "\n\u{FEFF}data: 1\n\n", events: []),
        // Only complete events count, and a type does not outlive its event.
        Sample(stream: "event: x\n\ndata: 1\n\n", events: ["message|1|"]),
        Sample(stream: "data: 1\n\ndata: 2\n", events: ["message|1|"]),
        Sample(stream: "data: 1\nid: 5\n", events: []),
        // Fields in any order.
        Sample(
            stream: "event: a\ndata: 1\nid: e-7\n\nevent: b\nid: e-8\ndata: 2\n\nid: e-9\nevent: c\ndata: 3\n\n",
            events: ["a|1|e-7", "b|2|e-8", "c|3|e-9"], lastEventID: "e-9"),
        // Ids.
        Sample(stream: "id: e-7\n\ndata: 1\n\n", events: ["message|1|e-7"], lastEventID: "e-7"),
        Sample(
            stream: ":thump\rid: e-7\r\r:\nevent: a\ndata: 1\n\n:thump\rid: e-8\r\r:\n", events: ["a|1|e-7"],
            lastEventID: "e-8"),
        Sample(
            stream: "id: e-7\ndata: 1\n\ndata: 2\n\n", events: ["message|1|e-7", "message|2|e-7"], lastEventID: "e-7"),
        Sample(
            stream: "id: 7\ndata: 1\n\nid: a\0b\ndata: 2\n\n", events: ["message|1|7", "message|2|7"], lastEventID: "7"),
        Sample(stream: "id: 7\ndata: 1\n\nid:\ndata: 2\n\n", events: ["message|1|7", "message|2|"]),
        // Reconnection times.
        Sample(stream: "retry: 1500\n\n", events: [], reconnectionTime: 1500),
        Sample(stream: "event: bye\ndata: {}\nretry: 20\n\n", events: ["bye|{}|"], reconnectionTime: 20),
        Sample(stream: "retry: 15x\nretry: -1\nretry:\nretry: ١\n\n", events: []),
        Sample(stream: "retry: 99999999999999999999999\n\n", events: [], reconnectionTime: 60_000),
        // What is not a field.
        Sample(stream: "DATA: 1\n data: 2\nfoo: 3\n:data: 4\ndata : 5\n\n", events: []),
        Sample(stream: "data: a:b: c\n\n", events: ["message|a:b: c|"]),
        Sample(stream: "event: update\ndata: {\"id\":\"é😀\"}\n\n", events: ["update|{\"id\":\"é😀\"}|"]),
    ]

    private static func text(_ event: ServerSentEvent) -> String { "\(event.type)|\(event.data)|\(event.id)" }

    /// In pieces of every size: the bytes of a character and of a line end may arrive separately.
    @Test(arguments: samples)
    func streamIsParsedInPiecesOfAnySize(sample: Sample) throws {
        let bytes = Array(sample.stream.utf8)
        for size in 1...max(1, bytes.count) {
            var parser = EventStreamParser()
            var events: [ServerSentEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += try parser.parse(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(events.map(Self.text) == sample.events, "pieces of \(size)")
            #expect(parser.lastEventID == sample.lastEventID, "pieces of \(size)")
            #expect(parser.reconnectionTime == sample.reconnectionTime, "pieces of \(size)")
        }
    }

    @Test func idOfTheRequestIsKeptUntilThereIsAnother() throws {
        var parser = EventStreamParser(lastEventID: "e-1")
        let first = try parser.parse(Array("data: 1\n\n".utf8))
        #expect(first.map(\.id) == ["e-1"])
        let second = try parser.parse(Array("id: e-2\ndata: 2\n".utf8))
        #expect(second.isEmpty && parser.lastEventID == "e-1")
        let third = try parser.parse(Array("\n".utf8))
        #expect(third.map(\.id) == ["e-2"] && parser.lastEventID == "e-2")
    }

    @Test(arguments: [("data: 1234567", true), ("data: 12345678", false), (":23456789012345", false)])
    func longLineIsRefused(line: String, isAccepted: Bool) {
        var parser = EventStreamParser(maximumLine: 13)
        let events = try? parser.parse(Array((line + "\n\n").utf8))
        #expect((events != nil) == isAccepted)
    }

    /// Many short lines of data are no way around the limit, nor is a line without an end.
    @Test func largeEventIsRefused() {
        var parser = EventStreamParser(maximumData: 100)
        #expect(throws: FeedClientError.self) {
            for _ in 0..<200 { _ = try parser.parse(Array("data\n".utf8)) }
        }
        var endless = EventStreamParser()
        #expect(throws: FeedClientError.self) {
            for _ in 0..<2000 { _ = try endless.parse([UInt8](repeating: 97, count: 1024)) }
        }
    }

    /// Comments and empty lines for hours cost no memory and yield nothing.
    @Test func invalidBytesAreHarmless() throws {
        var random = SplitMix64(seed: Soak.seed)
        let alphabet: [UInt8] = Array("datevnid:ry \r\n".utf8) + [0, 0xEF, 0xBB, 0xBF, 0xFF, 0xC3]
        for _ in 0..<Soak.rounds(2000, soaking: 200_000) {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            var (whole, pieces) = (EventStreamParser(), EventStreamParser())
            let events = try whole.parse(bytes)
            var found: [ServerSentEvent] = []
            for byte in bytes { found += try pieces.parse([byte]) }
            #expect(found == events, "\(bytes)")
        }
    }
}
