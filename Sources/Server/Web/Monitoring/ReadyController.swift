import FeedAPI
import FeedCore
import HTTPTypes

/// `/ready`: whether the server can store data, for load balancers and monitoring.
struct ReadyController: Sendable {
    let readiness: Readiness

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.ready, .open) { [readiness] _, _ in
            guard let problem = await readiness.problem() else {
                return Response(text: "OK", headers: [.cacheControl: "no-store"])
            }
            return Problem(
                status: .serviceUnavailable, message: problem.message, hint: problem.hint, headers: [.retryAfter: "5"]
            ).response
        }
    }
}
