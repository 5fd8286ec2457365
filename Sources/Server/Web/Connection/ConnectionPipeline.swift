import FeedCore
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS

/// Builds the channel pipeline of a connection.
struct ConnectionPipeline: Sendable {
    let handler: RequestHandler
    let limiter: ConnectionLimiter
    /// For TLS; `nil` for plain HTTP.
    let certificates: TLSCertificates?
    let tasks: OpenTasks

    var limits: ConnectionLimits { limiter.limits }

    /// Adds the handlers to a new connection, unless the limiter refuses it.
    func add(to channel: any Channel) throws {
        let decision = limiter.admit(channel)
        if let certificates {
            // A refusal would require the handshake, which costs more than refusing saves.
            guard decision == .serve else { return channel.close(promise: nil) }
            return try addTLS(certificates, to: channel)
        }
        switch decision {
        case .serve: try addHTTP1(to: channel, isEncrypted: false)
        case .refuse(let reason): try refuse(channel, reason)
        case .close: try refuse(channel, nil)
        }
    }

    private func refuse(_ channel: any Channel, _ reason: ConnectionCounter.Reason?) throws {
        try channel.pipeline.syncOperations.addHandler(ConnectionRefusal(reason, limits: limits))
    }

    private func addHTTP1(to channel: any Channel, isEncrypted: Bool) throws {
        // The handler passes on one request at a time, so that nothing is left over in the decoder at an upgrade.
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits.decoder)
        let pipelining = HTTP1PipeliningHandler()
        let connection = ClientConnection(channel: channel, isEncrypted: isEncrypted)
        let handler = HTTP1Handler(handler, connection, pipelining, limits: limits, tasks: tasks)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(pipelining)
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(handler)
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

extension ConnectionPipeline {
    /// Adds the handlers of TLS. Those of HTTP/2 or HTTP/1.1 follow, as client and server agree (ALPN, RFC 7301).
    private func addTLS(_ certificates: TLSCertificates, to channel: any Channel) throws {
        let negotiation = ApplicationProtocolNegotiationHandler { result, channel in
            let added = channel.eventLoop.makeCompletedFuture { try add(result, to: channel) }
            added.whenFailure { _ in channel.close(promise: nil) }
            return added
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(PlainHTTPDetector(limits: limits))
        try pipeline.addHandler(NIOSSLServerHandler(context: certificates.context))
        try pipeline.addHandler(TLSHandshakeHandler(limit: limits.handshake))
        try pipeline.addHandler(negotiation)
    }

    private func add(_ result: ALPNResult, to channel: any Channel) throws {
        // A client that does not negotiate uses HTTP/1.1.
        guard result == .negotiated("h2") else { return try addHTTP1(to: channel, isEncrypted: true) }
        try addHTTP2(to: channel)
    }
}

extension ConnectionPipeline {
    /// Adds the handlers of HTTP/2 to a connection over TLS.
    private func addHTTP2(to channel: any Channel) throws {
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
            HTTP2StreamHandler(handler, connection, limits: limits, tasks: tasks))
    }
}
