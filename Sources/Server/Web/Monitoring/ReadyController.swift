import FeedAPI
import FeedCore
import Hummingbird

/// `/ready`: whether the server can store data, for load balancers and monitoring.
struct ReadyController: Sendable {
    let readiness: Readiness

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.ready, .open) { [readiness] _, _ in
            guard let problem = await readiness.problem() else {
                return Response(
                    status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                    body: .init(byteBuffer: .init(string: "OK")))
            }
            return Problem(
                status: .serviceUnavailable, message: problem.message, hint: problem.hint, headers: [.retryAfter: "5"]
            ).response
        }
    }
}
