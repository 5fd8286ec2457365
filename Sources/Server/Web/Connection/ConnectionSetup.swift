import FeedCore
import NIOCore
import NIOHTTP1

/// Builds the channel pipeline of a connection.
struct ConnectionSetup: Sendable {
    let handler: RequestHandler
    let gate: ConnectionGate
    /// For TLS; `nil` for plain HTTP.
    let certificates: TLSCertificates?
    let tasks: OpenTasks

    var limits: ConnectionLimits { gate.limits }

    /// Adds the handlers to a new connection, unless the gate refuses it.
    func add(to channel: any Channel) throws {
        let decision = gate.enter(channel)
        guard certificates == nil else {
            // A refusal would require the handshake, which costs more than refusing saves.
            guard decision == .serve else { return channel.close(promise: nil) }
            return try addTLS(to: channel)
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

    func addHTTP1(to channel: any Channel, isEncrypted: Bool) throws {
        // The splitter passes on one request at a time, so that nothing is left over in the decoder at an upgrade.
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits.decoder)
        let splitter = RequestSplitter()
        let connection = ClientConnection(channel: channel, isEncrypted: isEncrypted)
        let handler = HTTP1Handler(handler, connection, splitter, limits: limits, tasks: tasks)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(splitter)
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
