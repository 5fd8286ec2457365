import FeedCore
import Hummingbird

/// Identifies the caller of a request by its bearer token (RFC 6750, and ``Services/token(of:)`` for streams). It never rejects a request; ``Access`` does that.
struct Authenticate: RouterMiddleware {
    typealias Context = FeedContext

    let services: Services

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        guard let secret = Services.token(of: request) else { return try await next(request, context) }
        var context = context
        try await services.stores.changes.catchUp()
        context.caller = try await services.login.tokens.holder(secret).map(Caller.holder) ?? .unknownToken
        context.notes.user = context.viewer?.account.username
        return try await next(request, context)
    }
}
