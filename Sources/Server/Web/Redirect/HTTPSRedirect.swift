import HTTPTypes

/// Redirects every request over plain HTTP to https, except the requests of ACME servers, which get the challenge.
package struct HTTPSRedirect: Sendable {
    private let redirect: HTTPSLocation
    private let challenges: ACMEChallenges?
    private let port: @Sendable () -> Int

    /// - Parameters:
    ///   - configured: The configured address of this server with the scheme https, if any.
    ///   - port: The TCP port of the server with TLS.
    package init(configured: String?, challenges: ACMEChallenges?, port: @escaping @Sendable () -> Int) {
        redirect = HTTPSLocation(configured: configured)
        self.challenges = challenges
        self.port = port
    }

    /// Answers every method and path.
    var action: Endpoint.Action {
        .memory { request, _ in
            challenges?.isChallenge(request) == true ? nil : response(to: request)
        } otherwise: { request, _ in
            try await challenges?.response(to: request) ?? response(to: request)
        }
    }

    private func response(to request: Request) -> Response {
        guard let location = redirect.location(host: request.host, target: request.uri.string, port: port()) else {
            return ErrorResponse(status: .badRequest, message: "The Host header is missing or malformed").response
        }
        // Only 308 keeps the method, but older programs know only 301.
        return Response(
            status: request.isRead ? .movedPermanently : .permanentRedirect, headers: [.location: location])
    }
}

extension RequestHandler {
    /// The handler of the plain HTTP port beside TLS. It has no routes, and counts no requests.
    package convenience init(_ redirect: HTTPSRedirect, _ services: Services) {
        self.init(services, [], everything: redirect.action)
    }
}

/// The https address of a request that arrived over plain HTTP.
struct HTTPSLocation: Sendable {
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
