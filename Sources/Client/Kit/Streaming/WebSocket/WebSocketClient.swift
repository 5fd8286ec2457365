import NIOCore
import NIOWebSocket

/// The client's end of a WebSocket (RFC 6455). Frames are read only when a message is asked for. The connection is closed
/// when the last reference is released.
final class WebSocketClient: Sendable {
    private let channel: any Channel
    private let inbox: NIOLoopBound<WebSocketInbox>

    /// Must be called on the event loop of the channel.
    init(_ channel: any Channel, _ inbox: WebSocketInbox) {
        self.channel = channel
        self.inbox = NIOLoopBound(inbox, eventLoop: channel.eventLoop)
    }

    deinit { channel.close(promise: nil) }

    /// The next message; `nil` when the server has closed the connection.
    /// - Throws: ``FeedClientError``, `CancellationError`.
    func next() async throws -> ByteBuffer? {
        do {
            let message = try await withTaskCancellationHandler {
                try await channel.eventLoop.flatSubmit { [inbox] in inbox.value.next() }.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            if message == nil { try Task.checkCancellation() }
            return message
        } catch {
            try Task.checkCancellation()
            throw Transport.translate(error)
        }
    }
}
