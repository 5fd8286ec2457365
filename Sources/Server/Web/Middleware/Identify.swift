import FeedCore
import Hummingbird

/// Looks up, once, whom the token of a request to the API stands for. Judges nothing.
struct Identify: RouterMiddleware {
    typealias Context = FeedContext

    let services: Services

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        guard context.isAPI, let secret = Services.bearer(request) else { return try await next(request, context) }
        var context = context
        context.asker = try await services.tokens.holder(secret).map(Asker.holder) ?? .forger
        return try await next(request, context)
    }
}
