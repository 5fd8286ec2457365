package import HTTPTypes
package import NIOHPACK
package import NIOHTTP1

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

/// The header fields of a request, as the decoder of its protocol delivers them. They are converted only for the few
/// rules that need all of them.
package enum RequestFields: Sendable {
    case http1(HTTPHeaders)
    case http2(HPACKHeaders)

    /// The values of a field, in the order of its lines.
    package subscript(values name: HTTPField.Name) -> [String] {
        switch self {
        case .http1(let headers): headers[name.rawName]
        case .http2(let headers): headers[name.canonicalName]
        }
    }

    /// The value of a field, whose lines are combined (RFC 9110 §5.3); `nil` without the field.
    package subscript(name: HTTPField.Name) -> String? {
        var combined: String?
        func add(_ other: String, _ value: String) {
            guard Self.isSame(other, name.canonicalName) else { return }
            combined = combined.map { $0 + (name == .cookie ? "; " : ", ") + value } ?? value
        }
        switch self {
        case .http1(let headers): for (name, value) in headers { add(name, value) }
        case .http2(let headers): for (name, value, _) in headers { add(name, value) }
        }
        return combined
    }

    /// - Parameter canonical: Lowercase, in ASCII.
    private static func isSame(_ name: String, _ canonical: String) -> Bool {
        guard name.utf8.count == canonical.utf8.count else { return false }
        return zip(name.utf8, canonical.utf8).allSatisfy { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }

    package func contains(_ name: HTTPField.Name) -> Bool {
        switch self {
        case .http1(let headers): headers.contains { Self.isSame($0.name, name.canonicalName) }
        case .http2(let headers): headers.contains { Self.isSame($0.name, name.canonicalName) }
        }
    }

    /// All fields, without Host and pseudo-header fields.
    package var all: HTTPFields {
        var fields = HTTPFields()
        func add(_ name: String, _ value: String) {
            guard let name = HTTPField.Name(name), name != .hostField else { return }
            fields.append(HTTPField(name: name, value: value))
        }
        switch self {
        case .http1(let headers): for (name, value) in headers { add(name, value) }
        case .http2(let headers): for (name, value, _) in headers { add(name, value) }
        }
        return fields
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
