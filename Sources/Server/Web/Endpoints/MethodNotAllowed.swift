import FeedCore
import HTTPTypes
import Hummingbird

/// Distinguishes an unknown path (404) from a method that the path does not support (405 with Allow, RFC 9110 §15.5.6).
/// It runs after all routes, on requests that match none.
struct MethodNotAllowed: RouterMiddleware {
    typealias Context = FeedContext

    let endpoints: [Endpoint]

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        throw refusal(of: request)
    }

    private func refusal(of request: Request) -> Problem {
        let methods = Set(endpoints.filter { matches($0.path, request.uri.path) }.map(\.method.rawValue))
        guard !methods.isEmpty else {
            if request.uri.path.hasPrefix("/api/") { return Problem(FeedError.notFound) }
            return Problem(status: .notFound, message: "There is no page at this address")
        }
        var headers: HTTPFields = [:]
        headers[.allow] = (methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted().joined(separator: ", ")
        return Problem(status: .methodNotAllowed, message: "\(request.method) is not allowed here", headers: headers)
    }

    private func matches(_ route: RouterPath, _ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.count == route.count && zip(route, parts).allSatisfy { $0 ~= $1 }
    }
}
