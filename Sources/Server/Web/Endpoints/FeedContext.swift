package import Hummingbird
import NIOCore

/// What travels with a request.
package struct FeedContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection, for saying that a body is wanted.
    let channel: any Channel
    /// Who asks; found out by ``Authenticate``, for requests to the API.
    var caller = Caller.anonymous

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Where the request comes from, as text without the port.
    var address: String { channel.remoteAddress?.ipAddress ?? "local" }

    /// Whether the kernel can send files on this connection; not where there is no socket.
    var sendsFiles: Bool { channel.remoteAddress?.ipAddress != nil }

    /// Sends a stretch of a file as a part of the answer's body; returns when the other side's kernel has taken it.
    func send(_ region: FileRegion) async throws {
        try await channel.triggerUserOutboundEvent(SendFile(region: region)).get()
    }

    /// Tells a sender that waits (`Expect: 100-continue`) to go on.
    func sendContinue() { channel.triggerUserOutboundEvent(WantsBody(), promise: nil) }
}
