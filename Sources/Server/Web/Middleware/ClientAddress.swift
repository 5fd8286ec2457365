import FeedCore
import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// Determines the client of each request, once, from the connection and the headers of trusted proxies. It also sets the
/// scheme of the request to that of the client's connection.
final class ClientAddress: RouterMiddleware {
    typealias Context = FeedContext

    private let settings: ReloadableSettings
    private let hasWarned = Atomic(false)

    init(settings: ReloadableSettings) { self.settings = settings }

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        var (request, context) = (request, context)
        // Until here, the scheme is that of the connection.
        context.isEncrypted = request.head.scheme == "https"
        let peer = context.peer.flatMap { IPAddress($0) }
        let proxies = settings.proxies
        if proxies.isTrusted(peer) {
            let client = proxies.client(
                peer: peer, lines: request.headers[values: .name(of: proxies.header)],
                protocols: request.headers[values: .forwardedProto])
            context.address = client.address
            context.isProxied = true
            request = Self.request(request, scheme: client.isSecure ? "https" : "http")
        } else {
            warn(request, context)
        }
        return try await next(request, context)
    }

    private static func request(_ request: Request, scheme: String) -> Request {
        var head = request.head
        head.scheme = scheme
        return Request(head: head, body: request.body)
    }

    /// Without the option, all visitors behind a proxy share the limits of one address.
    private func warn(_ request: Request, _ context: FeedContext) {
        guard request.headers[.forwardedFor] != nil || request.headers[.forwarded] != nil,
            !hasWarned.exchange(true, ordering: .relaxed)
        else { return }
        context.logger.warning(
            "ignoring the client address from an untrusted proxy; if the proxy is yours, add --trusted-proxy",
            metadata: ["proxy": "\(context.peer ?? "unix")"])
    }
}

extension HTTPField.Name {
    fileprivate static func name(of header: TrustedProxies.Header) -> Self {
        switch header {
        case .xForwardedFor: .forwardedFor
        case .forwarded: .forwarded
        }
    }
}
