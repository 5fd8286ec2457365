import FeedCore
import HTTPTypes
import Hummingbird

/// Redirects or rejects ambiguous paths. Two leading slashes would be interpreted as a host in a page's link to itself,
/// and U+0000 would truncate text in the database.
struct PathRules: RouterMiddleware {
    typealias Context = FeedContext

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if path.hasPrefix("//") { return try Self.redirect(request, path) }
        // In the path of a file, ``FileName`` rejects it.
        guard !path.utf8.contains(UInt8(ascii: "%")) || !path.contains("%00") || path.hasPrefix("/files/") else {
            throw FeedError.invalid("The address must not contain U+0000")
        }
        return try await next(request, context)
    }

    private static func redirect(_ request: Request, _ path: String) throws(FeedError) -> Response {
        guard request.method == .get || request.method == .head else { throw .notFound }
        let query = request.uri.query.map { "?" + $0 } ?? ""
        return Response(
            status: .permanentRedirect, headers: [.location: "/" + path.drop { $0 == "/" } + query])
    }
}
