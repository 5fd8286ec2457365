import FeedCore
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS

/// The channel pipeline of a connection over TLS: HTTP/2 or HTTP/1.1, as client and server agree (ALPN, RFC 7301).
struct SecureChannel: HTTPChannelHandler {
    enum Negotiated: Sendable {
        case http1(FeedChannel.Value)
        /// The streams that the client opens.
        case http2(NIOHTTP2Handler.AsyncStreamMultiplexer<FeedChannel.Value>)
    }

    struct Value: ServerChildChannelValue {
        let negotiated: EventLoopFuture<Negotiated>
        let channel: any Channel
    }

    let responder: HTTPChannelHandler.Responder
    let gate: ConnectionGate
    let certificates: TLSCertificates
    let stored: StoredResponses?

    private var limits: ConnectionLimits { gate.limits }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard gate.enter(channel) == .serve else {
            // A response would require the handshake, which costs more than refusing saves. A failed setup alone would
            // leave the channel open.
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.eventLoop.makeCompletedFuture {
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result, channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel, result) }
            }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificates.context))
            try pipeline.addHandler(HandshakeHandler(limit: limits.handshake))
            try pipeline.addHandler(negotiation)
            return Value(negotiated: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTasks(value.channel.eventLoop)) {
            do {
                switch try await value.negotiated.get() {
                case .http1(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
                case .http2(let streams): await handle(streams.inbound, logger: logger)
                }
            } catch {
                logger.trace("no TLS connection", metadata: ["error": "\(error)"])
                value.channel.close(promise: nil)
            }
        }
    }

    private func handle(_ streams: NIOHTTP2AsyncSequence<FeedChannel.Value>, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await stream in streams {
                    group.addTask { await handleHTTP(asyncChannel: stream, logger: logger) }
                }
            }
        } catch {
            logger.trace("the HTTP/2 connection has failed", metadata: ["error": "\(error)"])
        }
    }

    private func configure(_ channel: any Channel, _ result: ALPNResult) throws -> Negotiated {
        guard result == .negotiated("h2") else {
            // A client that does not negotiate uses HTTP/1.1.
            return .http1(try FeedChannel.configure(channel, limits: limits, isEncrypted: true, stored))
        }
        let handler = HTTP2ConnectionHandler(limits: limits)
        let pipeline = channel.pipeline.syncOperations
        let streams = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: handler.counter(on: channel.eventLoop), frameDelegate: handler,
            configuration: HTTP2Limits.configuration(limits)
        ) { stream in
            stream.eventLoop.makeCompletedFuture { try configure(stream: stream) }
        }
        try pipeline.addHandler(handler)
        return .http2(streams)
    }

    private func configure(stream: any Channel) throws -> FeedChannel.Value {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        try pipeline.addHandler(StreamHandler(limits: limits))
        return try NIOAsyncChannel(wrappingChannelSynchronously: stream)
    }
}
