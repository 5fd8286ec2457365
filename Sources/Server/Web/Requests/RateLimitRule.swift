import FeedAPI
import FeedCore
import HTTPTypes

/// Limits requests to `/api` and `/oauth`, per account or, without a token, per network; the actions that cost most;
/// pages; and refused requests. Files are not counted, because they have their own limits.
struct RateLimitRule: Sendable {
    /// `nil` without rate limits.
    let limiter: RateLimiter?

    /// Counts a request.
    /// - Returns: The limit of which the least remains, which the response states.
    /// - Throws: ``ErrorResponse`` 429 if the request exceeds a limit.
    func consume(_ kinds: [RateLimiter.Kind], _ context: RequestContext) throws(ErrorResponse) -> RateState? {
        guard let limiter else { return nil }
        var tightest: RateState?
        for kind in kinds {
            let (state, now) = limiter.consume(kind, Self.key(kind, context))
            guard let state else { continue }
            guard !state.isRefused else { throw Self.refusal(state, now: now) }
            if RateRule.isStated(kind), state.remaining < tightest?.remaining ?? .max { tightest = state }
        }
        return tightest
    }

    /// Counts a refused request against the client's network.
    /// - Throws: ``ErrorResponse`` 429 if there have been too many.
    func consumeRefusal(_ context: RequestContext) throws(ErrorResponse) {
        guard let limiter else { return }
        let (state, now) = limiter.consume(.refusal, RateKey(address: context.address))
        if let state, state.isRefused { throw Self.refusal(state, now: now) }
    }

    /// Undoes ``consumeRefusal(_:)``.
    func giveBackRefusal(_ context: RequestContext) { limiter?.giveBack(.refusal, RateKey(address: context.address)) }

    static func add(_ state: RateState, to headers: inout HTTPFields) {
        headers.append(HTTPField(name: .rateLimitLimit, value: String(state.limit)))
        headers.append(HTTPField(name: .rateLimitRemaining, value: String(state.remaining)))
        headers.append(HTTPField(name: .rateLimitReset, value: ISO8601.text(milliseconds: state.resetAt)))
    }

    private static func key(_ kind: RateLimiter.Kind, _ context: RequestContext) -> RateKey {
        guard RateRule.isPerAccount(kind), let viewer = context.caller.viewer else {
            return RateKey(address: context.address)
        }
        return .account(viewer.account.id)
    }

    private static func refusal(_ state: RateState, now: Int64) -> ErrorResponse {
        let seconds = state.secondsLeft(now: now)
        var problem = ErrorResponse(.rateLimited("Too many requests", retryAfter: seconds))
        add(state, to: &problem.headers)
        return problem
    }
}

/// The limits that a request counts against.
enum RateRule {
    /// The endpoints with limits of their own.
    static let endpoints: [Endpoint: [RateLimiter.Kind]] = [
        Endpoint(.post, Paths.accounts): [.accountCreation],
        Endpoint(.post, Paths.apps): [.applicationRegistration],
        Endpoint(.post, Paths.statuses): [.request, .post],
        Endpoint(.post, Paths.statuses + "/{id}/reblog"): [.request, .post],
        Endpoint(.post, "/statuses/{id}/reblog"): [.page, .request, .post],
        Endpoint(.post, "/api/v1/reports"): [.request, .post],
        Endpoint(.post, Paths.accounts + "/{id}/follow"): [.request, .follow],
        Endpoint(.post, Paths.tags + "/{name}/follow"): [.request, .follow],
        Endpoint(.post, "/@{name}/follow"): [.page, .request, .follow],
        Endpoint(.post, "/%40{name}/follow"): [.page, .request, .follow],
        Endpoint(.post, "/tags/{tag}/follow"): [.page, .request, .follow],
        Endpoint(.post, "/followed_tags"): [.page, .request, .follow],
        Endpoint(.post, "/@{name}/report"): [.page, .request, .post],
        Endpoint(.post, "/%40{name}/report"): [.page, .request, .post],
        Endpoint(.post, Paths.media): [.request, .upload],
        Endpoint(.post, Paths.mediaUpload): [.request, .upload],
        Endpoint(.post, Paths.files): [.upload],
        Endpoint(.put, Paths.files + "/{name}"): [.upload],
        Endpoint(.post, Paths.classicUpload): [.upload],
        Endpoint(.post, "/settings/files"): [.page, .upload],
        Endpoint(.post, "/settings/files/{name}/replace"): [.page, .upload],
        Endpoint(.post, "/settings/files/{name}/attach"): [.page, .request, .upload],
    ]

    /// A method and the path of an endpoint as in ``RoutePattern/pattern``.
    struct Endpoint: Hashable {
        let method: HTTPRequest.Method
        let path: String

        init(_ method: HTTPRequest.Method, _ path: String) {
            self.method = method
            self.path = path
        }
    }

    /// The first segments of the paths of files and pictures, and of monitoring.
    private static let uncounted: Set<Substring> = [
        "files", "media", "avatars", "headers", "badges", "assets", "emoji", "FileDownload.aspx", "health", "ready",
        "metrics", "sw.js",
    ]

    /// The pages whose forms do what requests to the API do.
    private static let actions: Set<Substring> = ["statuses", "polls", "settings"]

    /// - Parameter route: The path of the endpoint; `nil` if there is none.
    static func kinds(_ method: HTTPRequest.Method, route: String?, path: String) -> [RateLimiter.Kind] {
        if let route, let kinds = endpoints[Endpoint(method, route)] { return kinds }
        let first = RequestPath.segment(path.utf8[...]).first
        if first == "api" || first == "oauth" { return [.request] }
        guard route != nil else { return [.refusal] }
        if method == .post, actions.contains(first) { return [.page, .request] }
        return uncounted.contains(first) ? [] : [.page]
    }

    /// Whether requests for a path are not counted unless they are refused.
    static func isUncounted(_ path: String) -> Bool { uncounted.contains(RequestPath.segment(path.utf8[...]).first) }

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
