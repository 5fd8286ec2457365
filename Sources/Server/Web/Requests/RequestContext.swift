import FeedCore
import Logging
package import NIOCore

/// The findings of the rules about a request.
package struct RequestContext: Sendable {
    let connection: ClientConnection
    /// The client's IP address, or `local` for an unnamed client of a Unix socket.
    var address: String
    /// Whether the request comes from a trusted proxy.
    var isProxied = false
    /// The id of the request in the log.
    var requestID = ""
    /// The secret of the caller's token.
    var token: String?
    var caller = Caller.anonymous
    /// `nil` if the address has no endpoint, and before it is known.
    var endpoint: Endpoint?
    var parameters = PathParameters()

    init(_ connection: ClientConnection, _ client: RequestClient) {
        self.connection = connection
        (address, isProxied) = (client.address, client.isProxied)
    }

    var channel: any Channel { connection.channel }
    var isEncrypted: Bool { connection.isEncrypted }

    /// Whether the kernel can send files on this connection, which requires a TCP socket without TLS.
    var sendsFiles: Bool { !isEncrypted && connection.peer != nil }

    var logger: Logger { Logger(label: "feedserver") }

    /// The key under which limits count the client.
    var client: RateKey { caller.viewer.map { .account($0.account.id) } ?? RateKey(address: address) }

    /// Begins to read the body. Sends `100 Continue` if the client waits for it (RFC 9110 §10.1.1).
    func readBody() { channel.triggerUserOutboundEvent(WantsBody(), promise: nil) }

    /// Calls a closure once the client has left, without a task or a timer. Further calls replace the closure.
    func onDisconnect(_ notify: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute { [channel] in
            channel.triggerUserOutboundEvent(WatchDisconnect(notify: notify), promise: nil)
            // A closed channel no longer has handlers. A channel without a parent is an embedded one, in tests.
            if channel.parent != nil, !channel.isActive { notify() }
        }
    }
}

/// The connection of a request, or its stream of HTTP/2.
package struct ClientConnection: Sendable {
    let channel: any Channel
    /// Whether the connection itself uses TLS, whatever a proxy reports.
    let isEncrypted: Bool
    /// The IP address of the other end; `nil` for a Unix socket.
    let peer: String?

    package init(channel: any Channel, isEncrypted: Bool) {
        self.channel = channel
        self.isEncrypted = isEncrypted
        peer = channel.remoteAddress?.ipAddress
    }
}

/// An outbound event that a task triggers before it reads the body. The client may be waiting for `100 Continue`
/// (RFC 9110 §10.1.1).
struct WantsBody: Sendable {}

/// An outbound event, with which a waiting request asks to be notified when its client disconnects. It replaces an
/// earlier one of the same connection or stream.
struct WatchDisconnect: Sendable {
    let notify: @Sendable () -> Void
}

/// Tells the request that waits on a connection that the client has left. A client that has only finished sending counts
/// as having left, because the two cannot be distinguished.
struct DisconnectWatch {
    private var hasLeft = false
    private var notify: (@Sendable () -> Void)?

    mutating func watch(_ event: WatchDisconnect) {
        if hasLeft { event.notify() } else { notify = event.notify }
    }

    mutating func end() {
        hasLeft = true
        notify?()
        notify = nil
    }
}
