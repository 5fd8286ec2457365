import FeedCore
import HTTPTypes

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
        var parameters: [(segment: RoutePattern.Segment, node: Int)] = []
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

    private mutating func child(of node: Int, _ segment: RoutePattern.Segment) -> Int {
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

    private static func length(_ segment: RoutePattern.Segment) -> Int {
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

/// The path of an endpoint: literal segments and parameters, such as `/api/v1/statuses/:id` or `/@{name}`.
package struct RoutePattern: Sendable, Hashable {
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
