import FeedCore
import Hummingbird

/// Looks up, once, whom the token of a request to the API stands for. Judges nothing.
struct Authenticate: RouterMiddleware {
    typealias Context = FeedContext

    let services: Services

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        guard context.isAPI, let secret = Services.bearer(request) else { return try await next(request, context) }
        var context = context
        context.caller = try await services.tokens.holder(secret).map(Caller.holder) ?? .unknownToken
        return try await next(request, context)
    }
}
