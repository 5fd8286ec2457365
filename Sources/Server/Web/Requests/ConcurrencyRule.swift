import FeedAPI
import FeedCore

/// Limits the database reads of a client that run at the same time. Writes, which share transactions, files and answers
/// from memory are not counted. Requests that wait for changes count only while they read.
struct ConcurrencyRule: Sendable {
    private static let exemptPaths: Set<Substring> = [
        "files", "assets", "health", "ready", "metrics", "avatars", "headers", "badges", "media",
    ]

    let reads: ConcurrencyLimiter

    /// Calls the handler of an endpoint, if necessary when it is the turn of the client.
    func perform(
        _ handler: Endpoint.Handler, _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        guard Self.applies(to: request, context.endpoint) else { return try await handler(request, context) }
        return try await reads.run(context.client) { try await handler(request, context) }
    }

    /// The path of the request may contain repeated slashes; the path of its endpoint contains none.
    private static func applies(to request: Request, _ endpoint: Endpoint?) -> Bool {
        guard request.isRead, endpoint?.path.pattern != Paths.changes else { return false }
        let first = request.uri.path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).first
        return first.map { !exemptPaths.contains(Substring($0)) } ?? true
    }
}
