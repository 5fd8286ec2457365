import HTTPTypes

/// Finds the endpoint of a request. Repeated slashes, and a slash at the end, are ignored. Literal segments take precedence
/// over parameters, and parameters with a prefix or suffix over those without.
struct RouteTrie: Sendable {
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

    init(_ endpoints: [Endpoint]) { for endpoint in endpoints { insert(endpoint) } }

    private mutating func insert(_ endpoint: Endpoint) {
        var node = 0
        for segment in endpoint.path.segments { node = child(of: node, segment) }
        nodes[node].endpoints[endpoint.method] = endpoint
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
        var match: Match?
        visit(path) { endpoints, parameters in
            guard let endpoint = endpoints[method] ?? (method == .head ? endpoints[.get] : nil) else { return false }
            match = Match(endpoint: endpoint, parameters: parameters)
            return true
        }
        return match
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
