import FeedCore
import HTTPTypes
import Logging
import Synchronization

/// Determines the client of each request from the connection and the fields of trusted proxies.
final class ClientAddress: Sendable {
    /// The address of an unnamed client of a Unix socket.
    private static let local = "local"

    private let settings: ReloadableSettings
    private let logger = Logger(label: "feedserver")
    private let hasWarned = Atomic(false)

    init(settings: ReloadableSettings) { self.settings = settings }

    func client(of request: Request, on connection: ClientConnection) -> RequestClient {
        let proxies = settings.proxies
        // Most servers have no proxies, so that no address needs to be parsed.
        let peer = proxies.isEmpty ? nil : connection.peer.flatMap { IPAddress($0) }
        guard !proxies.isEmpty, proxies.isTrusted(peer) else {
            warn(request, connection)
            return RequestClient(
                address: connection.peer ?? Self.local, isProxied: false, isSecure: connection.isEncrypted)
        }
        let client = proxies.client(
            peer: peer, lines: request.headers[values: .name(of: proxies.header)],
            protocols: request.headers[values: .forwardedProto])
        return RequestClient(address: client.address, isProxied: true, isSecure: client.isSecure)
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
    /// The IP address, or `local` for an unnamed client of a Unix socket.
    let address: String
    /// Whether a trusted proxy has reported the client.
    let isProxied: Bool
    /// Whether the client uses TLS.
    let isSecure: Bool
}

extension HTTPField.Name {
    fileprivate static func name(of header: TrustedProxies.Header) -> Self {
        switch header {
        case .xForwardedFor: .forwardedFor
        case .forwarded: .forwarded
        }
    }
}
