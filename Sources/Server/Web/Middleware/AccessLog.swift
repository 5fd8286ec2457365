import Hummingbird
import Logging

/// Logs one line per request once its response is known. Query strings are omitted, because those of the classic
/// dialect contain passwords.
struct AccessLog: RouterMiddleware {
    typealias Context = FeedContext

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let elapsed = ContinuousClock.now - start
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(LoggedPath.text(request.uri.path))",
                "status": "\(response.status.code)",
                "ms": "\(elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000)",
                "bytes": "\(response.body.contentLength.map(String.init) ?? "-")", "from": "\(context.address)",
            ])
        return response
    }
}
