import FeedCore
import NIOCore
import NIOSSL
import NIOTLS

extension ConnectionSetup {
    /// Adds the handlers of TLS. Those of HTTP/2 or HTTP/1.1 follow, as client and server agree (ALPN, RFC 7301).
    func addTLS(to channel: any Channel) throws {
        guard let certificates else { throw ChannelError.operationUnsupported }
        let negotiation = ApplicationProtocolNegotiationHandler { result, channel in
            let added = channel.eventLoop.makeCompletedFuture { try add(result, to: channel) }
            added.whenFailure { _ in channel.close(promise: nil) }
            return added
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLServerHandler(context: certificates.context))
        try pipeline.addHandler(HandshakeHandler(limit: limits.handshake))
        try pipeline.addHandler(negotiation)
    }

    private func add(_ result: ALPNResult, to channel: any Channel) throws {
        // A client that does not negotiate uses HTTP/1.1.
        guard result == .negotiated("h2") else { return try addHTTP1(to: channel, isEncrypted: true) }
        try addHTTP2(to: channel)
    }
}
