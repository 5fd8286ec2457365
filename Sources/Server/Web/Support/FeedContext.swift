package import Hummingbird
import NIOCore

/// What travels with a request.
package struct FeedContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection, for saying that a body is wanted.
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Where the request comes from, as text without the port.
    var address: String { channel.remoteAddress?.ipAddress ?? "local" }

    /// Tells a sender that waits (`Expect: 100-continue`) to go on.
    func wantBody() { channel.triggerUserOutboundEvent(WantsBody(), promise: nil) }
}
