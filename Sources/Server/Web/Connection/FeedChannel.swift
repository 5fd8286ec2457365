import FeedCore
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
    let gate: ConnectionGate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            switch gate.enter(channel) {
            case .serve: try addHandlers(channel.pipeline.syncOperations)
            case .refuse(let reason): try refuse(channel, reason)
            case .close: try refuse(channel, nil)
            }
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    private func addHandlers(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: gate.limits.decoder)
        try pipeline.addHandlers(HTTPVersionHandler(), FileSender())
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(ConnectionHandler(limits: gate.limits))
    }

    private func refuse(_ channel: any Channel, _ reason: ConnectionCounter.Reason?) throws {
        try channel.pipeline.syncOperations.addHandler(ConnectionRefusal(reason, limits: gate.limits))
    }

    func handle(value: Value, logger: Logger) async {
        // Stays on the connection's event loop: a hop to the thread pool and back costs more than most responses.
        await withTaskExecutorPreference(EventLoopTasks(value.channel.eventLoop)) {
            await handleHTTP(asyncChannel: value, logger: logger)
        }
    }
}

extension ConnectionLimits {
    fileprivate var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = fieldBytes
        limits.maxHeaderListSize = headBytes
        limits.maxHeaderFieldCount = fields
        return limits
    }
}
