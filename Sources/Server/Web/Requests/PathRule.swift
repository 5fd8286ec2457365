import FeedCore
import FeedFiles
import HTTPTypes

/// Redirects or rejects requests whose path or lists are ambiguous or too long. Two leading slashes would be
/// interpreted as a host in a page's link to itself, and U+0000 would truncate text in the database.
enum PathRule {
    /// The maximum length of a path in bytes.
    private static let maximumBytes = 2048
    private static let maximumSegments = 64

    /// - Throws: ``ErrorResponse`` for a request that must not be handled.
    static func check(_ request: Request) throws(ErrorResponse) {
        let path = request.uri.path
        let slashes = path.utf8.count { $0 == UInt8(ascii: "/") }
        guard path.utf8.count <= maximumBytes, slashes <= maximumSegments else {
            throw ErrorResponse(
                status: .uriTooLong, message: "The address is too long",
                hint: "A path has at most \(maximumBytes) bytes and \(maximumSegments) segments.")
        }
        let hasNUL = path.utf8.contains(UInt8(ascii: "%")) && path.utf8.contains("%00".utf8)
        // In the path of a file, ``FileName`` rejects it.
        guard !hasNUL || path.utf8.starts(with: "/files/".utf8) else {
            throw ErrorResponse(FeedError.invalid("The address must not contain U+0000"))
        }
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch]
        where EntityTagList.isTooLong(request.headers[values: name]) {
            throw ErrorResponse(
                status: .badRequest, message: "\(name) has too many entity tags",
                hint: "Send at most \(EntityTagList.maximumCount).")
        }
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

    private static func redirect(_ request: Request, _ path: String) throws(FeedError) -> Response {
        guard request.isRead else { throw .notFound }
        let query = request.uri.query.map { "?" + $0 } ?? ""
        let rest = Substring(path.utf8.drop { $0 == UInt8(ascii: "/") })
        return Response(status: .permanentRedirect, headers: [.location: "/" + rest + query])
    }
}

/// The path of a request.
enum RequestPath {
    private static let slash = UInt8(ascii: "/")

    /// The first segment of a path, which is empty at its end, and what follows it. Repeated slashes count as one.
    static func segment(_ path: Substring.UTF8View) -> (first: Substring, rest: Substring.UTF8View) {
        let path = path.drop { $0 == slash }
        let first = path.prefix { $0 != slash }
        return (Substring(first), path[first.endIndex...])
    }

    /// Whether a path leads to the Mastodon API. The router ignores repeated slashes.
    static func isAPI(_ path: String) -> Bool { leads(path, to: ["api"]) }

    /// The path of the API or of OAuth with single slashes. Clients that join an address that ends in a slash with a path
    /// cannot follow a redirect with a body.
    /// - Returns: `nil` if there is nothing to change.
    static func collapsed(_ path: String) -> String? {
        guard repeatsSlash(path), leads(path, to: ["api", "oauth"]) else { return nil }
        var bytes: [UInt8] = []
        for byte in path.utf8 where byte != slash || bytes.last != slash { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func repeatsSlash(_ path: String) -> Bool {
        var isAfterSlash = false
        return path.utf8.contains { byte in
            defer { isAfterSlash = byte == slash }
            return isAfterSlash && byte == slash
        }
    }

    private static func leads(_ path: String, to roots: [String]) -> Bool {
        let parts = path.utf8.split(separator: slash, maxSplits: 1)
        return parts.count == 2 && roots.contains { parts[0].elementsEqual($0.utf8) }
    }
}
