import FeedCore
import FeedFiles
import HTTPTypes

/// Redirects or rejects requests whose path or lists are ambiguous or too long. Two leading slashes would be
/// interpreted as a host in a page's link to itself, and U+0000 would truncate text in the database.
enum PathRules {
    /// The maximum length of a path in bytes.
    private static let maximumBytes = 2048
    private static let maximumSegments = 64

    /// - Throws: ``ErrorResponse`` for a request that must not be handled.
    static func check(_ request: Request) throws(ErrorResponse) {
        if let refusal = refusal(path: request.uri.path, request.headers) { throw refusal }
    }

    /// Collapses repeated slashes of the API.
    /// - Returns: A redirect to the only address of a page, if the request has another one.
    static func normalize(_ request: inout Request) throws(FeedError) -> Response? {
        let path = request.uri.path
        if let collapsed = RequestPath.collapsed(path) {
            request.uri = request.uri.at(path: collapsed)
            return nil
        }
        return path.utf8.starts(with: "//".utf8) ? try redirect(request, path) : nil
    }

    private static func refusal(path: String, _ headers: RequestFields) -> ErrorResponse? {
        let slashes = path.utf8.count { $0 == UInt8(ascii: "/") }
        guard path.utf8.count <= maximumBytes, slashes <= maximumSegments else {
            return ErrorResponse(
                status: .uriTooLong, message: "The address is too long",
                hint: "A path has at most \(maximumBytes) bytes and \(maximumSegments) segments.")
        }
        let hasNUL = path.utf8.contains(UInt8(ascii: "%")) && path.utf8.contains("%00".utf8)
        // In the path of a file, ``FileName`` rejects it.
        guard !hasNUL || path.utf8.starts(with: "/files/".utf8) else {
            return ErrorResponse(FeedError.invalid("The address must not contain U+0000"))
        }
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch] where EntityTagList.isTooLong(headers[values: name]) {
            return ErrorResponse(
                status: .badRequest, message: "\(name) has too many entity tags",
                hint: "Send at most \(EntityTagList.maximumCount).")
        }
        return nil
    }

    private static func redirect(_ request: Request, _ path: String) throws(FeedError) -> Response {
        guard request.isRead else { throw .notFound }
        let query = request.uri.query.map { "?" + $0 } ?? ""
        let rest = Substring(path.utf8.drop { $0 == UInt8(ascii: "/") })
        return Response(status: .permanentRedirect, headers: [.location: "/" + rest + query])
    }
}
