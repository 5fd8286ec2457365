package import Hummingbird
import NIOCore

/// The request context: the connection and the caller.
package struct FeedContext: RequestContext {
    /// The address of an unnamed client of a Unix socket.
    static let localAddress = "local"

    package var coreContext: CoreRequestContextStorage
    /// The connection, used to request the body and to send files.
    let channel: any Channel
    /// The client's IP address, or `local`. Set by ``ClientAddress`` to the one that a trusted proxy reports.
    var address: String
    /// Whether the connection comes from a trusted proxy. Set by ``ClientAddress``.
    var isProxied = false
    /// Whether the connection itself uses TLS, whatever a proxy reports. Set by ``ClientAddress``.
    var isEncrypted = false
    /// The id of the request in the log. Set by ``RequestObserver``.
    var requestID = ""
    let notes = RequestNotes()
    /// Set by ``Authenticate``.
    var caller = Caller.anonymous

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        address = channel.remoteAddress?.ipAddress ?? Self.localAddress
    }

    /// The IP address of the connection; `nil` for a Unix socket.
    var peer: String? { channel.remoteAddress?.ipAddress }

    /// Whether the kernel can send files on this connection, which requires a TCP socket without TLS.
    var sendsFiles: Bool { !isEncrypted && channel.remoteAddress?.ipAddress != nil }

    /// Sends a region of a file as part of the response body; returns once the kernel has sent it.
    func send(_ region: FileRegion) async throws {
        try await channel.triggerUserOutboundEvent(SendFile(region: region)).get()
    }

    /// Sends `100 Continue` if the client waits for it (RFC 9110 §10.1.1).
    func sendContinue() { channel.triggerUserOutboundEvent(WantsBody(), promise: nil) }

    /// Calls a closure once the client has left, without a task or a timer. Further calls replace the closure.
    func onDisconnect(_ notify: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute { [channel] in
            channel.triggerUserOutboundEvent(WatchDisconnect(notify: notify), promise: nil)
            // A closed channel no longer has handlers. A channel without a parent is an embedded one, in tests.
            if channel.parent != nil, !channel.isActive { notify() }
        }
    }
}
