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
        let parts = request.uri.path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
        let methods = Set(endpoints.filter { matches($0.path, parts) }.map(\.method.rawValue))
        guard !methods.isEmpty else {
            if RequestPath.isAPI(request.uri.path) { return Problem(FeedError.notFound) }
            return Problem(status: .notFound, message: "There is no page at this address")
        }
        var headers: HTTPFields = [:]
        headers[.allow] = (methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted().joined(separator: ", ")
        return Problem(status: .methodNotAllowed, message: "\(request.method) is not allowed here", headers: headers)
    }

    private func matches(_ route: RouterPath, _ parts: [Substring]) -> Bool {
        parts.count == route.count && zip(route, parts).allSatisfy { $0 ~= $1 }
    }
}
