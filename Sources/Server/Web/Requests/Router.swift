import FeedCore
import FeedFiles
import HTTPTypes

/// The path of an endpoint: literal segments and parameters, such as `/api/v1/statuses/:id` or `/@{name}`.
package struct RoutePath: Sendable, Hashable {
    enum Segment: Sendable, Hashable {
        case literal(String)
        /// A parameter between a literal prefix and a literal suffix, either of which may be empty.
        case parameter(String, prefix: String, suffix: String)

        /// Whether the segment of a request matches, and what the parameter is.
        func match(_ text: Substring) -> (matches: Bool, value: Substring?) {
            switch self {
            case .literal(let literal): return (literal.utf8.elementsEqual(text.utf8), nil)
            case .parameter(_, let prefix, let suffix):
                guard text.utf8.starts(with: prefix.utf8), text.utf8.reversed().starts(with: suffix.utf8.reversed()),
                    text.utf8.count >= prefix.utf8.count + suffix.utf8.count
                else { return (false, nil) }
                return (true, Substring(text.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)))
            }
        }
    }

    let segments: [Segment]
    /// The path with each parameter in braces, which names the endpoint in metrics and rate limits.
    package let pattern: String
    /// Whether the path has no parameters.
    let isLiteral: Bool

    package init(_ text: String) {
        segments = text.utf8.split(separator: UInt8(ascii: "/")).map(Self.segment)
        pattern = "/" + segments.map(Self.text).joined(separator: "/")
        isLiteral = segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    private static func segment(_ text: Substring.UTF8View) -> Segment {
        if text.first == UInt8(ascii: ":") { return .parameter(Self.text(text.dropFirst()), prefix: "", suffix: "") }
        guard let open = text.firstIndex(of: UInt8(ascii: "{")), let close = text.firstIndex(of: UInt8(ascii: "}")),
            open < close
        else { return .literal(Self.text(text)) }
        return .parameter(
            Self.text(text[text.index(after: open)..<close]), prefix: Self.text(text[..<open]),
            suffix: Self.text(text[text.index(after: close)...]))
    }

    private static func text(_ bytes: Substring.UTF8View) -> String { String(Substring(bytes)) }

    private static func text(_ segment: Segment) -> String {
        switch segment {
        case .literal(let text): text
        case .parameter(let name, let prefix, let suffix): "\(prefix){\(name)}\(suffix)"
        }
    }
}

/// The parameters of a path, as they occur in the request.
package struct PathParameters: Sendable {
    private var values: [(name: String, value: Substring)] = []

    /// - Returns: A part of the path, still percent-encoded; `nil` if the endpoint has no such parameter.
    func get(_ name: String) -> String? { values.first { $0.name == name }.map { String($0.value) } }

    mutating func append(_ name: String, _ value: Substring) { values.append((name, value)) }
    mutating func removeLast() { values.removeLast() }
}

/// Finds the endpoint of a request. Repeated slashes, and a slash at the end, are ignored. Literal segments take precedence
/// over parameters, and parameters with a prefix or suffix over those without.
struct Router: Sendable {
    struct Match: Sendable {
        let endpoint: Endpoint
        let parameters: PathParameters
    }

    private struct Node: Sendable {
        var literals: [Substring: Int] = [:]
        /// The parameters that may follow, those with a longer prefix and suffix first.
        var parameters: [(segment: RoutePath.Segment, node: Int)] = []
        var endpoints: [HTTPRequest.Method: Endpoint] = [:]
    }

    private var nodes = [Node()]
    /// The nodes of the paths without parameters, which most requests have.
    private var literals: [String: Int] = [:]

    init(_ endpoints: [Endpoint]) { for endpoint in endpoints { insert(endpoint) } }

    private mutating func insert(_ endpoint: Endpoint) {
        var node = 0
        for segment in endpoint.path.segments { node = child(of: node, segment) }
        nodes[node].endpoints[endpoint.method] = endpoint
        if endpoint.path.isLiteral { literals[endpoint.path.pattern] = node }
    }

    private mutating func child(of node: Int, _ segment: RoutePath.Segment) -> Int {
        if case .literal(let text) = segment, let child = nodes[node].literals[text[...]] { return child }
        if let child = nodes[node].parameters.first(where: { $0.segment == segment }) { return child.node }
        nodes.append(Node())
        let new = nodes.count - 1
        if case .literal(let text) = segment {
            nodes[node].literals[text[...]] = new
        } else {
            nodes[node].parameters.append((segment, new))
            nodes[node].parameters.sort { Self.length($0.segment) > Self.length($1.segment) }
        }
        return new
    }

    private static func length(_ segment: RoutePath.Segment) -> Int {
        guard case .parameter(_, let prefix, let suffix) = segment else { return 0 }
        return prefix.utf8.count + suffix.utf8.count
    }

    /// The endpoint with this method and path. An endpoint for GET also answers HEAD.
    func match(_ method: HTTPRequest.Method, _ path: String) -> Match? {
        if let node = literals[path], let endpoint = Self.endpoint(method, nodes[node].endpoints) {
            return Match(endpoint: endpoint, parameters: PathParameters())
        }
        var match: Match?
        visit(path) { endpoints, parameters in
            match = Self.endpoint(method, endpoints).map { Match(endpoint: $0, parameters: parameters) }
            return match != nil
        }
        return match
    }

    /// Distinguishes an unknown path (404) from a method that the path does not support (405 with Allow,
    /// RFC 9110 §15.5.6).
    func refusal(of request: Request) -> ErrorResponse {
        let methods = methods(at: request.uri.path).map(\.rawValue)
        guard !methods.isEmpty else {
            if RequestPath.isAPI(request.uri.path) { return ErrorResponse(FeedError.notFound) }
            return ErrorResponse(status: .notFound, message: "There is no page at this address")
        }
        return ErrorResponse(
            status: .methodNotAllowed, message: "\(request.method) is not allowed here",
            headers: [.allow: methods.sorted().joined(separator: ", ")])
    }

    private static func endpoint(
        _ method: HTTPRequest.Method, _ endpoints: [HTTPRequest.Method: Endpoint]
    ) -> Endpoint? {
        endpoints[method] ?? (method == .head ? endpoints[.get] : nil)
    }

    /// The methods that a path supports.
    func methods(at path: String) -> Set<HTTPRequest.Method> {
        var methods: Set<HTTPRequest.Method> = []
        visit(path) { endpoints, _ in
            methods.formUnion(endpoints.keys)
            return false
        }
        return methods.contains(.get) ? methods.union([.head]) : methods
    }

    /// - Parameter body: Called for each node of the path with endpoints, best match first, until it returns `true`.
    private func visit(_ path: String, _ body: ([HTTPRequest.Method: Endpoint], PathParameters) -> Bool) {
        var parameters = PathParameters()
        _ = visit(0, path.utf8[...], &parameters, body)
    }

    private func visit(
        _ index: Int, _ path: Substring.UTF8View, _ parameters: inout PathParameters,
        _ body: ([HTTPRequest.Method: Endpoint], PathParameters) -> Bool
    ) -> Bool {
        let (first, rest) = RequestPath.segment(path)
        guard !first.isEmpty else {
            return !nodes[index].endpoints.isEmpty && body(nodes[index].endpoints, parameters)
        }
        if let literal = nodes[index].literals[first], visit(literal, rest, &parameters, body) { return true }
        for (segment, child) in nodes[index].parameters {
            guard case .parameter(let name, _, _) = segment, let value = segment.match(first).value else { continue }
            parameters.append(name, value)
            if visit(child, rest, &parameters, body) { return true }
            parameters.removeLast()
        }
        return false
    }
}

/// Redirects or rejects requests whose path or lists are ambiguous or too long. Two leading slashes would be
/// interpreted as a host in a page's link to itself, and U+0000 would truncate text in the database.
enum PathRules {
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
