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
        let reported = RequestClient.reported(by: settings.proxies, peer: context.peer) { request.headers[values: $0] }
        if let client = reported {
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

/// The client of a request.
struct RequestClient {
    /// The IP address, or `local` for an unnamed client of a Unix socket.
    let address: String
    /// Whether a trusted proxy has reported the client.
    let isProxied: Bool
    /// Whether the client uses TLS.
    let isSecure: Bool

    /// The client of a connection that does not come from a proxy.
    /// - Parameter peer: The IP address; `nil` for a Unix socket.
    init(peer: String?, isEncrypted: Bool) {
        address = peer ?? FeedContext.localAddress
        isProxied = false
        isSecure = isEncrypted
    }

    private init(_ client: TrustedProxies.Client) {
        address = client.address
        isProxied = true
        isSecure = client.isSecure
    }

    /// The client that a trusted proxy reports.
    /// - Parameters:
    ///   - peer: The IP address of the connection; `nil` for a Unix socket.
    ///   - values: The values of a field of the request, in the order of its lines.
    /// - Returns: `nil` if the connection does not come from a trusted proxy.
    static func reported(
        by proxies: TrustedProxies, peer: String?, values: (HTTPField.Name) -> [String]
    ) -> RequestClient? {
        guard !proxies.isEmpty else { return nil }
        let peer = peer.flatMap { IPAddress($0) }
        guard proxies.isTrusted(peer) else { return nil }
        return RequestClient(
            proxies.client(
                peer: peer, lines: values(.name(of: proxies.header)), protocols: values(.forwardedProto)))
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
