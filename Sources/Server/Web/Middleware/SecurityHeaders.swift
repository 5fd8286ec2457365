import HTTPTypes
import Hummingbird

/// Adds security headers to every response. Over TLS, Strict-Transport-Security makes browsers use
/// only https.
struct SecurityHeaders: RouterMiddleware {
    typealias Context = FeedContext

    /// One year (RFC 6797).
    private static let strictTransport = "max-age=31536000"

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentTypeOptions] = "nosniff"
        if context.isEncrypted { response.headers[.strictTransportSecurity] = Self.strictTransport }
        if response.headers[.referrerPolicy] == nil { response.headers[.referrerPolicy] = "same-origin" }
        return response
    }
}
