package import HTTPTypes

/// A request, of either version of HTTP.
package struct Request: Sendable {
    package let method: HTTPRequest.Method
    package var uri: RequestTarget
    /// The value of Host, or the authority of HTTP/2; `nil` only for HTTP/1.0 and older.
    package let host: String?
    /// Whether the client uses TLS, to its proxy if there is one.
    package var isSecure: Bool
    package let headers: RequestFields
    package let body: RequestBody

    package init(
        method: HTTPRequest.Method, target: String, host: String?, isSecure: Bool, headers: RequestFields,
        body: RequestBody = .none
    ) {
        self.method = method
        uri = RequestTarget(target)
        self.host = host
        self.isSecure = isSecure
        self.headers = headers
        self.body = body
    }

    /// Whether the request only reads (RFC 9110 §9.2.1).
    var isRead: Bool { method == .get || method == .head }
}

/// The target of a request in origin form: a path and a query (RFC 9112 §3.2.1).
package struct RequestTarget: Sendable {
    package let string: String
    package let path: String
    /// The query, after the first `?`; `nil` without one.
    package let query: String?

    package init(_ string: String) {
        self.string = string
        guard let mark = string.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            (path, query) = (string, nil)
            return
        }
        path = String(string[..<mark])
        query = String(string[string.utf8.index(after: mark)...])
    }

    /// The same query at another path.
    func at(path: String) -> RequestTarget { RequestTarget(path + (query.map { "?" + $0 } ?? "")) }
}
