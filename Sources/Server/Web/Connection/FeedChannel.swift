import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The channel pipeline of a connection: HTTP/1.1 with this server's limits, run by Hummingbird.
struct FeedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let limits: ConnectionTimer.Limits
    let connections = OpenConnections()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        connections.add(channel)
        return channel.eventLoop.makeCompletedFuture {
            try Self.configure(channel, limits: limits, isEncrypted: false)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // Stays on the connection's event loop: a hop to the thread pool and back costs more than most responses.
        await withTaskExecutorPreference(EventLoopTasks(value.channel.eventLoop)) {
            await handleHTTP(asyncChannel: value, logger: logger)
        }
    }

    /// Adds the handlers of HTTP/1.1. The kernel can send files only on connections without TLS.
    static func configure(
        _ channel: any Channel, limits: ConnectionTimer.Limits, isEncrypted: Bool
    ) throws -> Value {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoderLimits)
        try pipeline.addHandler(HTTPVersionHandler())
        if !isEncrypted { try pipeline.addHandler(FileSender()) }
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isEncrypted))
        try pipeline.addHandler(ConnectionHandler(limits: limits))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    private static var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 * 1024
        limits.maxHeaderListSize = 32 * 1024
        limits.maxHeaderFieldCount = 200
        return limits
    }
}
