import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird

/// The path of a request. Pure.
enum RequestPath {
    private static let slash = UInt8(ascii: "/")

    /// Whether a path leads to the Mastodon API. The router ignores repeated slashes.
    static func isAPI(_ path: String) -> Bool { leads(path, to: ["api"]) }

    /// The path of the API or of OAuth with single slashes. Clients that join an address that ends in a slash with a path
    /// cannot follow a redirect with a body.
    /// - Returns: `nil` if there is nothing to change.
    static func collapsed(_ path: String) -> String? {
        guard zip(path.utf8, path.utf8.dropFirst()).contains(where: { $0 == slash && $1 == slash }),
            leads(path, to: ["api", "oauth"])
        else { return nil }
        var bytes: [UInt8] = []
        for byte in path.utf8 where byte != slash || bytes.last != slash { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func leads(_ path: String, to roots: [String]) -> Bool {
        let parts = path.utf8.split(separator: slash, maxSplits: 1)
        return parts.count == 2 && roots.contains { parts[0].elementsEqual($0.utf8) }
    }
}

extension Request {
    /// The same request of another path.
    fileprivate func with(path: String) -> Request {
        var head = head
        head.path = path + (uri.query.map { "?" + $0 } ?? "")
        return Request(head: head, body: body)
    }
}

/// Redirects or rejects requests whose path or lists are ambiguous or too long. Two leading slashes would be interpreted
/// as a host in a page's link to itself, and U+0000 would truncate text in the database.
struct PathRules: RouterMiddleware {
    typealias Context = FeedContext

    /// The maximum length of a path in bytes, and the maximum number of its segments.
    private static let (maximumBytes, maximumSegments) = (2048, 64)

    /// `nil` without rate limits.
    let limiter: RateLimiter?

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if let refusal = Self.refusal(path: path, request.headers) {
            let taken = limiter.map { RateLimits.take([.refusal], from: $0, nil, address: context.address) }
            throw taken?.refusal ?? refusal
        }
        if let collapsed = RequestPath.collapsed(path) {
            return try await next(request.with(path: collapsed), context)
        }
        if path.utf8.starts(with: "//".utf8) { return try Self.redirect(request, path) }
        return try await next(request, context)
    }

    private static func refusal(path: String, _ headers: HTTPFields) -> Problem? {
        let slashes = path.utf8.lazy.filter { $0 == UInt8(ascii: "/") }
        guard path.utf8.count <= maximumBytes, slashes.count <= maximumSegments else {
            return Problem(
                status: .uriTooLong, message: "The address is too long",
                hint: "A path has at most \(maximumBytes) bytes and \(maximumSegments) segments.")
        }
        let hasNUL = path.utf8.contains(UInt8(ascii: "%")) && path.utf8.contains("%00".utf8)
        // In the path of a file, ``FileName`` rejects it.
        guard !hasNUL || path.utf8.starts(with: "/files/".utf8) else {
            return Problem(FeedError.invalid("The address must not contain U+0000"))
        }
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch] where EntityTagList.isTooLong(headers[values: name]) {
            return Problem(
                status: .badRequest, message: "\(name) has too many entity tags",
                hint: "Send at most \(EntityTagList.maximumCount).")
        }
        return nil
    }

    private static func redirect(_ request: Request, _ path: String) throws(FeedError) -> Response {
        guard request.method == .get || request.method == .head else { throw .notFound }
        let query = request.uri.query.map { "?" + $0 } ?? ""
        let rest = Substring(path.utf8.drop { $0 == UInt8(ascii: "/") })
        return Response(status: .permanentRedirect, headers: [.location: "/" + rest + query])
    }
}
