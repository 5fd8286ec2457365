/// The https address of a request that arrived over plain HTTP. Pure.
struct HTTPSRedirect: Sendable {
    /// The configured address of this server, without a trailing slash; its scheme is https.
    let configured: String?

    /// - Parameters:
    ///   - host: The Host of the request.
    ///   - target: The path and the query.
    ///   - port: The TCP port of the server with TLS.
    /// - Returns: `nil` if the host is missing or malformed.
    func location(host: String?, target: String, port: Int) -> String? {
        let path = target.hasPrefix("/") ? target : "/"
        if let configured { return configured + path }
        guard let host, BaseURL.isValid(host) else { return nil }
        return "https://" + Self.name(host).lowercased() + (port == 443 ? "" : ":\(port)") + path
    }

    /// A valid host without its port.
    private static func name(_ host: String) -> Substring {
        guard host.utf8.first == UInt8(ascii: "["), let end = host.utf8.firstIndex(of: UInt8(ascii: "]")) else {
            return Substring(host.utf8.prefix { $0 != UInt8(ascii: ":") })
        }
        return host[...end]
    }
}
