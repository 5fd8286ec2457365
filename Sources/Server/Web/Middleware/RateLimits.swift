import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

/// Limits requests to `/api` and `/oauth`, per account or, without a token, per network; the actions that cost most;
/// pages; and refused requests. Files are not counted, because they have their own limits.
struct RateLimits: RouterMiddleware {
    typealias Context = FeedContext

    let limiter: RateLimiter

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        let kinds = RateRule.kinds(
            request.method, route: context.coreContext.endpointPath.value, path: request.uri.path)
        let taken = Self.take(kinds, from: limiter, context.viewer, address: context.address)
        if let refusal = taken.refusal { throw refusal }
        var response = try await next(request, context)
        if RateRule.countsRefusal(kinds, status: response.status.code),
            let refusal = Self.take([.refusal], from: limiter, nil, address: context.address).refusal
        {
            throw refusal
        }
        if let tightest = taken.tightest { response.headers.append(contentsOf: Self.headers(tightest)) }
        return response
    }

    /// The outcome of counting a request.
    struct Taken {
        /// The limit of which the least remains, which the response states.
        var tightest: RateState?
        /// Set if the request exceeds a limit.
        var refusal: Problem?
    }

    /// Counts a request against limits, up to the first one that it exceeds.
    static func take(
        _ kinds: [RateLimiter.Kind], from limiter: RateLimiter, _ viewer: Viewer?, address: String
    ) -> Taken {
        var taken = Taken()
        for kind in kinds {
            let (state, now) = limiter.take(kind, key(kind, viewer, address: address))
            guard let state else { continue }
            guard !state.isRefused else {
                taken.refusal = refusal(state, now: now)
                return taken
            }
            if RateRule.isStated(kind), state.remaining < taken.tightest?.remaining ?? .max { taken.tightest = state }
        }
        return taken
    }

    private static func key(_ kind: RateLimiter.Kind, _ viewer: Viewer?, address: String) -> RateKey {
        guard RateRule.isPerAccount(kind), let viewer else { return RateKey(address: address) }
        return .account(viewer.account.id)
    }

    private static func refusal(_ state: RateState, now: Int64) -> Problem {
        let seconds = state.secondsLeft(now: now)
        var problem = Problem(.rateLimited("Too many requests", retryAfter: seconds))
        problem.headers.append(contentsOf: headers(state))
        return problem
    }

    private static func headers(_ state: RateState) -> HTTPFields {
        [
            .rateLimitLimit: state.limitText, .rateLimitRemaining: state.remainingText,
            .rateLimitReset: state.resetText,
        ]
    }
}

extension RateState {
    /// The values of the `X-RateLimit` fields.
    var limitText: String { String(limit) }
    var remainingText: String { String(remaining) }
    var resetText: String { ISO8601.text(milliseconds: resetAt) }
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
        Endpoint(.post, "/api/v1/tags/{name}/follow"): [.request, .follow],
        Endpoint(.post, Paths.media): [.request, .upload],
        Endpoint(.post, Paths.mediaUpload): [.request, .upload],
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

    /// The endpoints whose requests are not counted unless they are refused: files and pictures, and monitoring.
    private static let uncounted: Set<Substring> = [
        "files", "media", "avatars", "headers", "badges", "assets", "emoji", "FileDownload.aspx", "health", "ready",
        "metrics",
    ]

    /// - Parameter route: The path of the endpoint; `nil` if there is none.
    static func kinds(_ method: HTTPRequest.Method, route: String?, path: String) -> [RateLimiter.Kind] {
        if let route, let kinds = endpoints[Endpoint(method, route)] { return kinds }
        let first = Substring(path.utf8.drop { $0 == UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "/") })
        if first == "api" || first == "oauth" { return [.request] }
        guard route != nil else { return [.refusal] }
        return uncounted.contains(first) ? [] : [.page]
    }

    /// Whether a response counts as a refusal. Requests to the API count already.
    static func countsRefusal(_ kinds: [RateLimiter.Kind], status: Int) -> Bool {
        (400..<500).contains(status) && kinds.allSatisfy { $0 == .page }
    }

    /// Whether responses state the limit. Browsers do not need to know it.
    static func isStated(_ kind: RateLimiter.Kind) -> Bool { kind != .page && kind != .refusal }

    /// Whether the limit applies to an account rather than to its network.
    static func isPerAccount(_ kind: RateLimiter.Kind) -> Bool {
        switch kind {
        case .request, .post, .follow, .upload: true
        case .accountCreation, .applicationRegistration, .page, .refusal: false
        }
    }
}
