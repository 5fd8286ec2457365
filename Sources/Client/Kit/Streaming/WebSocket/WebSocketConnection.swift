import AsyncHTTPClient
import FeedAPI
import NIOCore
import NIOHTTP1

/// A connection on which a server sends events over a WebSocket, which some servers offer instead of server-sent events.
struct WebSocketConnection: StreamConnection {
    private let socket: WebSocketClient
    private(set) var position: String?

    var reconnectionTime: Int? { nil }

    /// Opens a stream. The token is sent in a header field, because addresses appear in logs.
    /// - Parameter position: Where to resume, if the server supports that.
    /// - Throws: ``FeedClientError``; with a status if the server refuses.
    init(_ stream: StreamName, position: String?, client: FeedClient) async throws {
        let query = [("stream", stream.webSocketName), ("since", position)] + stream.parameters
        var request = client.request(Paths.streaming, query: query)
        request.headers.remove(name: "Accept")
        socket = try await client.streams.webSocket(request)
        self.position = position
    }

    mutating func next() async throws -> StreamMessage? {
        while let text = try await socket.next() {
            guard let message = WebSocketMessage.decode(text) else { continue }
            position = message.id ?? position
            return StreamMessage(type: message.event, payload: message.payload ?? "", position: message.id)
        }
        return nil
    }
}
