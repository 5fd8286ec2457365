import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Parses a stream of server-sent events (WHATWG HTML §9.2.6), which may arrive in pieces of any size.
///
/// The lengths of lines and events are bounded, because a stream never ends.
struct EventStreamParser {
    /// The longest accepted line, in bytes. A status of a foreign server may have a long text.
    static let maximumLine = 1 << 20
    /// The largest accepted data of an event, in bytes.
    static let maximumData = 4 << 20
    /// The longest accepted reconnection time, in milliseconds.
    static let maximumReconnectionTime = 60_000

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The id to send as `Last-Event-ID`: the id of the last complete event, or of the last block of lines without data.
    private(set) var lastEventID: String
    /// The time to wait before a reconnection, in milliseconds, if the server has sent one.
    private(set) var reconnectionTime: Int?

    private let maximumLine: Int
    private let maximumData: Int
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the previous byte was CR, so that LF does not end another line.
    private var isAfterCarriageReturn = false
    private var id: String
    private var type = ""
    /// The lines of data, each followed by LF.
    private var data: [UInt8] = []

    /// - Parameter lastEventID: The id that was sent with the request.
    init(
        lastEventID: String = "", maximumLine: Int = Self.maximumLine, maximumData: Int = Self.maximumData
    ) {
        (self.lastEventID, id) = (lastEventID, lastEventID)
        (self.maximumLine, self.maximumData) = (maximumLine, maximumData)
    }

    /// Parses the next bytes.
    /// - Returns: The events that they complete.
    /// - Throws: ``FeedClientError`` `.failed` if a line or an event is too long; the parser must not be used again.
    mutating func parse(_ bytes: some Sequence<UInt8>) throws(FeedClientError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let isSecondHalf = byte == 10 && isAfterCarriageReturn
            isAfterCarriageReturn = byte == 13
            if isSecondHalf { continue }
            if byte == 10 || byte == 13 {
                if let event = try endLine() { events.append(event) }
            } else {
                guard line.count < maximumLine else { throw Self.tooLong("line", maximumLine) }
                line.append(byte)
            }
        }
        return events
    }

    private static func tooLong(_ what: String, _ limit: Int) -> FeedClientError {
        FeedClientError(.failed, "The server sent a \(what) of more than \(limit) bytes in a stream")
    }

    /// - Returns: The event that an empty line completes.
    private mutating func endLine() throws(FeedClientError) -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: line.capacity <= 4096) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        }
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: 58) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 32 { value = value.dropFirst() }
        try process(String(decoding: line[..<colon], as: UTF8.self), value)
        return nil
    }

    /// A comment is a line that begins with a colon: its field name is empty, so it is ignored like an unknown field.
    private mutating func process(_ field: String, _ value: ArraySlice<UInt8>) throws(FeedClientError) {
        switch field {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < maximumData else { throw Self.tooLong("event", maximumData) }
            data += value
            data.append(10)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry": setReconnectionTime(value)
        default: break
        }
    }

    private mutating func setReconnectionTime(_ value: ArraySlice<UInt8>) {
        guard !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }) else { return }
        let time = Int(String(decoding: value, as: UTF8.self)) ?? Self.maximumReconnectionTime
        reconnectionTime = min(time, Self.maximumReconnectionTime)
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (type, data) = ("", []) }
        lastEventID = id
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: String(decoding: data.dropLast(), as: UTF8.self), id: id)
    }
}

/// An event of a stream in the format of server-sent events (WHATWG HTML §9.2).
struct ServerSentEvent: Equatable, Sendable {
    /// `message` if the server sent no type.
    var type: String
    var data: String
    /// The last id that the server has sent, with this event or before it; empty if there was none.
    var id: String
}

/// A connection on which a server sends events. Bytes are read only when an event is asked for, so that a slow reader
/// slows the server down, and nothing is buffered without bound.
struct EventStream: StreamConnection {
    private static let contentType = "text/event-stream"

    private var chunks: HTTPClientResponse.Body.AsyncIterator
    private var parser: EventStreamParser
    /// The events of the last chunk, the last one first.
    private var events: [ServerSentEvent] = []

    var position: String? { parser.lastEventID.isEmpty ? nil : parser.lastEventID }
    var reconnectionTime: Int? { parser.reconnectionTime }

    /// Opens a stream.
    /// - Parameter position: Where to resume, if the server supports that.
    /// - Throws: ``FeedClientError``; with a status if the server refuses.
    init(_ stream: StreamName, position: String?, client: FeedClient) async throws {
        var request = client.request(stream.path, query: stream.parameters)
        request.headers.replaceOrAdd(name: "Accept", value: Self.contentType)
        request.headers.add(name: "Cache-Control", value: "no-store")
        if let position { request.headers.add(name: "Last-Event-ID", value: position) }
        let response = try await client.streams.execute(request)
        guard response.status == .ok else {
            throw await client.streams.error(
                response, hadCredentials: request.headers.contains(name: "Authorization"))
        }
        guard Self.isEventStream(response.headers) else {
            throw FeedClientError(.failed, "The server offers no stream of events", status: 200)
        }
        chunks = response.body.makeAsyncIterator()
        parser = EventStreamParser(lastEventID: position ?? "")
    }

    mutating func next() async throws -> StreamMessage? {
        while true {
            if let event = events.popLast() {
                return StreamMessage(type: event.type, payload: event.data, position: event.id.isEmpty ? nil : event.id)
            }
            do {
                guard let chunk = try await chunks.next() else { return nil }
                events = try parser.parse(chunk.readableBytesView).reversed()
            } catch {
                throw TransportError.translate(error)
            }
        }
    }

    private static func isEventStream(_ headers: HTTPHeaders) -> Bool {
        let type = (headers.first(name: "Content-Type") ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
        return Substring(type).lowercased().filter { $0 != " " } == contentType
    }
}
