import FeedAPI
import FeedCore
import HTTPTypes

/// For load balancers and monitoring: `/health`, whether the server is alive, and `/ready`, whether it can store data.
struct HealthController: Sendable {
    let readiness: Readiness

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate(Paths.health, .open) { [response = Response(text: "OK")] _, _ in response }
        endpoints.get(Paths.ready, .open) { [readiness] _, _ in
            guard let problem = await readiness.problem() else {
                return Response(text: "OK", headers: [.cacheControl: "no-store"])
            }
            return ErrorResponse(
                status: .serviceUnavailable, message: problem.message, hint: problem.hint, headers: [.retryAfter: "5"]
            ).response
        }
    }
}
