import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

/// Limits requests to `/api` and `/oauth`, per account or, without a token, per address; and the actions that cost most.
/// Other requests for pages and files are not counted, because they have their own limits.
struct RateLimits: RouterMiddleware {
    typealias Context = FeedContext

    let limiter: RateLimiter

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        var tightest: RateState?
        for kind in RateRule.kinds(request.method, context.coreContext.endpointPath.value ?? request.uri.path) {
            let (state, now) = limiter.take(kind, Self.key(kind, context))
            guard let state else { continue }
            guard !state.isRefused else { throw Self.refusal(state, now: now) }
            if state.remaining < tightest?.remaining ?? .max { tightest = state }
        }
        var response = try await next(request, context)
        if let tightest { response.headers.append(contentsOf: Self.headers(tightest)) }
        return response
    }

    /// Account creation and application registration count against the address, even with a token.
    private static func key(_ kind: RateLimiter.Kind, _ context: FeedContext) -> RateKey {
        guard kind != .accountCreation, kind != .applicationRegistration, let viewer = context.viewer else {
            return RateKey(address: context.address)
        }
        return .account(viewer.account.id)
    }

    private static func refusal(_ state: RateState, now: Int64) -> Problem {
        let seconds = state.secondsLeft(now: now)
        var problem = Problem(
            FeedError(.rateLimited, "Too many requests", hint: "Wait \(seconds) seconds.", retryAfter: seconds))
        problem.headers.append(contentsOf: headers(state))
        return problem
    }

    private static func headers(_ state: RateState) -> HTTPFields {
        [
            .rateLimitLimit: String(state.limit), .rateLimitRemaining: String(state.remaining),
            .rateLimitReset: ISO8601.text(milliseconds: state.resetAt),
        ]
    }
}

/// The limits that a request counts against. Pure.
enum RateRule {
    /// The endpoints with limits of their own.
    static let endpoints: [Endpoint: [RateLimiter.Kind]] = [
        Endpoint(.post, "/api/v1/accounts"): [.accountCreation],
        Endpoint(.post, "/api/v1/apps"): [.applicationRegistration],
        Endpoint(.post, "/api/v1/statuses"): [.request, .post],
        Endpoint(.post, "/api/v1/statuses/{id}/reblog"): [.request, .post],
        Endpoint(.post, "/api/v1/reports"): [.request, .post],
        Endpoint(.post, "/api/v1/accounts/{id}/follow"): [.request, .follow],
        Endpoint(.post, "/files"): [.upload],
        Endpoint(.put, "/files/{name}"): [.upload],
        Endpoint(.post, Paths.classicUpload): [.upload],
    ]

    /// A method and the path of an endpoint as ``RouterPath`` describes it.
    struct Endpoint: Hashable {
        let method: HTTPRequest.Method
        let path: String

        init(_ method: HTTPRequest.Method, _ path: String) {
            self.method = method
            self.path = path
        }
    }

    static func kinds(_ method: HTTPRequest.Method, _ path: String) -> [RateLimiter.Kind] {
        if let kinds = endpoints[Endpoint(method, path)] { return kinds }
        return path.hasPrefix("/api/") || path.hasPrefix("/oauth/") ? [.request] : []
    }
}
