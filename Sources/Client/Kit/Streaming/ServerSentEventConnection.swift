import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// A connection on which a server sends events. Bytes are read only when an event is asked for, so that a slow reader
/// slows the server down, and nothing is buffered without bound.
struct ServerSentEventConnection: StreamConnection {
    private static let contentType = "text/event-stream"

    private var chunks: HTTPClientResponse.Body.AsyncIterator
    private var parser: ServerSentEventParser
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
        parser = ServerSentEventParser(lastEventID: position ?? "")
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
                throw TransportFailure.translate(error)
            }
        }
    }

    private static func isEventStream(_ headers: HTTPHeaders) -> Bool {
        let type = (headers.first(name: "Content-Type") ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
        return Substring(type).lowercased().filter { $0 != " " } == contentType
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
