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
    let stored: StoredResponses?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            switch gate.enter(channel) {
            case .serve: return try Self.configure(channel, limits: gate.limits, isEncrypted: false, stored)
            case .refuse(let reason): try refuse(channel, reason)
            case .close: try refuse(channel, nil)
            }
            return try Self.wrap(channel)
        }
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

    static func configure(
        _ channel: any Channel, limits: ConnectionLimits, isEncrypted: Bool, _ stored: StoredResponses?
    ) throws -> Value {
        try addHandlers(to: channel, limits: limits, isEncrypted: isEncrypted, stored)
        return try wrap(channel)
    }

    /// Adds the handlers of HTTP/1.1. The kernel can send files only on connections without TLS.
    static func addHandlers(
        to channel: any Channel, limits: ConnectionLimits, isEncrypted: Bool, _ stored: StoredResponses?
    ) throws {
        let connection = ConnectionHandler(limits: limits)
        let pipeline = channel.pipeline.syncOperations
        let storedHandler = stored.map {
            StoredResponseHandler($0, connection: connection, isEncrypted: isEncrypted)
        }
        // An upgrade to WebSocket must not lose what the client has already sent.
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits.decoder)
        try pipeline.addHandler(HTTPResponseEncoder())
        if let storedHandler { try pipeline.addHandler(RepeatedRequestHandler(storedHandler)) }
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        if let storedHandler { try pipeline.addHandler(storedHandler) }
        try pipeline.addHandler(HTTPVersionHandler())
        if !isEncrypted { try pipeline.addHandler(FileSender()) }
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isEncrypted))
        try pipeline.addHandler(connection)
    }

    private static func wrap(_ channel: any Channel) throws -> Value {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
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
