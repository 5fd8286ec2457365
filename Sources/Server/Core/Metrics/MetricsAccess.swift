/// Who may read `/metrics`: this machine, and the sources of `--metrics-allow`, but never through a proxy. Pure.
package struct MetricsAccess: Sendable {
    /// The fields by which a proxy reveals itself, in lowercase. A request that carries one is refused, because its
    /// connection comes from the proxy and not from the client.
    package static let forwardingFields = ["x-forwarded-for", "forwarded", "x-real-ip", "via"]

    private let allowed: [TrustedProxies.Source]

    /// - Parameter allowed: The networks of `--metrics-allow`.
    package init(_ allowed: [TrustedProxies.Source] = []) { self.allowed = allowed }

    /// - Parameters:
    ///   - peer: The IP address of the connection; `nil` for a Unix socket.
    ///   - isForwarded: Whether the request carries one of ``forwardingFields``.
    package func allows(peer: IPAddress?, isForwarded: Bool) -> Bool {
        guard !isForwarded else { return false }
        return peer?.isLoopback == true || TrustedProxies(allowed).isTrusted(peer)
    }
}
