import FeedCore
import HTTPTypes

/// The endpoints of the server by their paths.
struct Routes: Sendable {
    let endpoints: [Endpoint]
    private let trie: RouteTrie

    init(_ endpoints: [Endpoint]) {
        self.endpoints = endpoints
        trie = RouteTrie(endpoints)
    }

    func match(_ request: Request) -> RouteTrie.Match? { trie.match(request.method, request.uri.path) }

    /// Distinguishes an unknown path (404) from a method that the path does not support (405 with Allow,
    /// RFC 9110 §15.5.6).
    func refusal(of request: Request) -> Problem {
        let methods = trie.methods(at: request.uri.path).map(\.rawValue)
        guard !methods.isEmpty else {
            if RequestPath.isAPI(request.uri.path) { return Problem(FeedError.notFound) }
            return Problem(status: .notFound, message: "There is no page at this address")
        }
        return Problem(
            status: .methodNotAllowed, message: "\(request.method) is not allowed here",
            headers: [.allow: methods.sorted().joined(separator: ", ")])
    }
}

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

    package init(_ text: String) {
        segments = text.utf8.split(separator: UInt8(ascii: "/")).map(Self.segment)
        pattern = "/" + segments.map(Self.text).joined(separator: "/")
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
