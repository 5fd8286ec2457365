import FeedCore
import HTTPTypes
import Logging
import Synchronization

/// Determines the client of each request from the connection and the fields of trusted proxies.
final class ClientAddress: Sendable {
    private let settings: ReloadableSettings
    private let logger = Logger(label: "feedserver")
    private let hasWarned = Atomic(false)

    init(settings: ReloadableSettings) { self.settings = settings }

    func client(of request: Request, on connection: ClientConnection) -> RequestClient {
        let reported = RequestClient.reported(by: settings.proxies, peer: connection.peer) {
            request.headers[values: $0]
        }
        if let reported { return reported }
        warn(request, connection)
        return RequestClient(peer: connection.peer, isEncrypted: connection.isEncrypted)
    }

    /// Without the option, all visitors behind a proxy share the limits of one address.
    private func warn(_ request: Request, _ connection: ClientConnection) {
        guard request.headers.contains(.forwardedFor) || request.headers.contains(.forwarded),
            !hasWarned.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            "ignoring the client address from an untrusted proxy; if the proxy is yours, add --trusted-proxy",
            metadata: ["proxy": "\(connection.peer ?? "unix")"])
    }
}

/// The client of a request.
struct RequestClient {
    /// The address of an unnamed client of a Unix socket.
    private static let localAddress = "local"

    /// The IP address, or `local` for an unnamed client of a Unix socket.
    let address: String
    /// Whether a trusted proxy has reported the client.
    let isProxied: Bool
    /// Whether the client uses TLS.
    let isSecure: Bool

    /// The client of a connection that does not come from a proxy.
    /// - Parameter peer: The IP address; `nil` for a Unix socket.
    init(peer: String?, isEncrypted: Bool) {
        address = peer ?? Self.localAddress
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
