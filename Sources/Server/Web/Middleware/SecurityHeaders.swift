import HTTPTypes
import Hummingbird

/// Adds security headers to every response.
struct SecurityHeaders: RouterMiddleware {
    typealias Context = FeedContext

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentTypeOptions] = "nosniff"
        if response.headers[.referrerPolicy] == nil { response.headers[.referrerPolicy] = "same-origin" }
        return response
    }
}
