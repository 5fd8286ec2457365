import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

/// Limits requests to `/api` and `/oauth`, per account or, without a token, per address. Pages, files and the classic
/// dialect are not counted, because they have their own limits.
struct RateLimits: RouterMiddleware {
    typealias Context = FeedContext

    let limiter: RateLimiter

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        let path = context.coreContext.endpointPath.value ?? request.uri.path
        guard path.hasPrefix("/api/") || path.hasPrefix("/oauth/") else { return try await next(request, context) }
        let kind = Self.kind(request.method, path)
        let (state, now) = limiter.take(kind, Self.key(kind, context))
        guard let state else { return try await next(request, context) }
        let headers = Self.headers(state)
        guard !state.isRefused else { throw Self.refusal(seconds: Int((state.resetAt - now + 999) / 1000), headers) }
        var response = try await next(request, context)
        response.headers.append(contentsOf: headers)
        return response
    }

    private static func kind(_ method: HTTPRequest.Method, _ path: String) -> RateLimiter.Kind {
        switch (method, path) {
        case (.post, "/api/v1/accounts"): .accountCreation
        case (.post, "/api/v1/apps"): .applicationRegistration
        default: .request
        }
    }

    /// Account creation and application registration count against the address, even with a token.
    private static func key(_ kind: RateLimiter.Kind, _ context: FeedContext) -> RateKey {
        guard kind == .request, let viewer = context.viewer else { return RateKey(address: context.address) }
        return .account(viewer.account.id)
    }

    private static func refusal(seconds: Int, _ headers: HTTPFields) -> Problem {
        var problem = Problem(
            FeedError(.rateLimited, "Too many requests", hint: "Wait \(seconds) seconds.", retryAfter: seconds))
        problem.headers.append(contentsOf: headers)
        return problem
    }

    private static func headers(_ state: RateState) -> HTTPFields {
        [
            .rateLimitLimit: String(state.limit), .rateLimitRemaining: String(state.remaining),
            .rateLimitReset: ISO8601.text(milliseconds: state.resetAt),
        ]
    }
}
