import HTTPTypes

/// Redirects every request over plain HTTP to https, except the requests of ACME servers, which get the challenge.
package struct RedirectToHTTPS: Sendable {
    private let redirect: HTTPSRedirect
    private let challenges: ACMEChallenges?
    private let port: @Sendable () -> Int

    /// - Parameters:
    ///   - configured: The configured address of this server with the scheme https, if any.
    ///   - port: The TCP port of the server with TLS.
    package init(configured: String?, challenges: ACMEChallenges?, port: @escaping @Sendable () -> Int) {
        redirect = HTTPSRedirect(configured: configured)
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
            return Problem(status: .badRequest, message: "The Host header is missing or malformed").response
        }
        // Only 308 keeps the method, but older programs know only 301.
        return Response(
            status: request.isRead ? .movedPermanently : .permanentRedirect, headers: [.location: location])
    }
}

extension RequestHandler {
    /// The handler of the plain HTTP port beside TLS. It has no routes, and counts no requests.
    package convenience init(_ redirect: RedirectToHTTPS, _ services: Services) {
        self.init(services, [], everything: redirect.action)
    }
}
