import FeedAPI
import FeedCore
import Hummingbird

/// Limits the concurrent database reads of a client. Writes, which share transactions, and files are not counted. Requests
/// that wait for changes count only while they read.
struct ConcurrencyLimit: RouterMiddleware {
    typealias Context = FeedContext

    private static let exemptPaths: Set<Substring> = [
        "files", "assets", "health", "ready", "metrics", "avatars", "headers", "badges", "media",
    ]

    let limiter: ConcurrencyLimiter

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head, Self.isCounted(request, context) else {
            return try await next(request, context)
        }
        return try await limiter.run(Self.client(context)) { try await next(request, context) }
    }

    private static func isCounted(_ request: Request, _ context: FeedContext) -> Bool {
        // The path of the route, because the request's path may contain repeated slashes.
        guard context.coreContext.endpointPath.value != Paths.changes else { return false }
        let first = request.uri.path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).first
        return first.map { !exemptPaths.contains(Substring($0)) } ?? true
    }

    private static func client(_ context: FeedContext) -> RateKey {
        context.viewer.map { .account($0.account.id) } ?? RateKey(address: context.address)
    }
}
