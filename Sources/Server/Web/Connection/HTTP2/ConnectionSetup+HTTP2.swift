import NIOCore
import NIOHTTP2

extension ConnectionSetup {
    /// Adds the handlers of HTTP/2 to a connection over TLS.
    func addHTTP2(to channel: any Channel) throws {
        let connection = HTTP2ConnectionHandler(limits: limits)
        let pipeline = channel.pipeline.syncOperations
        // Only this function takes a delegate for frames. Its sequence of streams is dropped, after which it keeps none.
        _ = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: connection.counter(on: channel.eventLoop), frameDelegate: connection,
            configuration: HTTP2Limits.configuration(limits)
        ) { stream in
            stream.eventLoop.makeCompletedFuture { try addStream(to: stream) }
        }
        try pipeline.addHandler(connection)
    }

    private func addStream(to stream: any Channel) throws {
        let connection = ClientConnection(channel: stream, isEncrypted: true)
        try stream.pipeline.syncOperations.addHandler(
            StreamHandler(handler, connection, limits: limits, tasks: tasks))
    }
}
