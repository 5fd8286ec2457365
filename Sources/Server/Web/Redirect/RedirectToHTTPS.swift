import HTTPTypes
package import Hummingbird

/// Redirects every request over plain HTTP to https, except the requests of ACME servers, which get the challenge.
package struct RedirectToHTTPS: RouterMiddleware {
    package typealias Context = FeedContext

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

    package func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        if let response = try await challenges?.response(to: request) { return response }
        guard
            let location = redirect.location(
                host: request.head.authority, target: request.head.path ?? "/", port: port())
        else { return Problem(status: .badRequest, message: "The Host header is missing or malformed").response }
        // Only 308 keeps the method, but older programs know only 301.
        let isRead = request.method == .get || request.method == .head
        return Response(status: isRead ? .movedPermanently : .permanentRedirect, headers: [.location: location])
    }
}

extension FeedRouter {
    /// The router of the plain HTTP port beside TLS. It has no routes.
    package static func build(_ redirect: RedirectToHTTPS, _ services: Services) -> Router<FeedContext> {
        let router = Router(context: FeedContext.self)
        router.add(middleware: ClientAddress(settings: services.site.settings))
        router.add(middleware: RequestObserver(services.monitoring))
        router.add(middleware: SecurityHeaders())
        router.add(middleware: redirect)
        return router
    }
}
