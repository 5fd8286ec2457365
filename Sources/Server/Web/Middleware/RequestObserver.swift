import FeedCore
import HTTPTypes
import Hummingbird

/// Gives each request an id, and records it in the access log and the metrics once its response is known.
struct RequestObserver: RouterMiddleware {
    typealias Context = FeedContext

    private let recorder: RequestRecorder

    init(_ monitoring: Monitoring) { recorder = RequestRecorder(monitoring) }

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        // Only a proxy's id is accepted: a client could otherwise give many requests the same one.
        context.requestID = RequestID.of(context.isProxied ? request.headers[.requestID] : nil)
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        let elapsed = (ContinuousClock.now - start).nanoseconds
        let status = response.status.code
        recorder.series(route: context.coreContext.endpointPath.value, method: request.method, status: status)?
            .record(nanoseconds: elapsed)
        recorder.log { entry(request, response, context, $0, elapsed) }
        return response
    }

    private func entry(
        _ request: Request, _ response: Response, _ context: FeedContext, _ now: Int64, _ nanoseconds: Int64
    ) -> AccessLogEntry {
        AccessLogEntry(
            time: now, id: context.requestID, method: request.method.rawValue, path: request.uri.path,
            query: request.uri.query, status: response.status.code,
            bytes: request.method == .head ? 0 : response.body.contentLength,
            microseconds: nanoseconds / 1000,
            address: context.address, user: context.notes.user, agent: request.headers[.userAgent])
    }
}
