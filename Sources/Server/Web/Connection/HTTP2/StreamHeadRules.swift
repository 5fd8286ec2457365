import FeedCore
import HTTPTypes
import NIOHTTP1

/// The rules for a request head of HTTP/2, as ``RequestHeadRules`` for HTTP/1.1 (RFC 9113 §8.3). NIOHTTP2 has already
/// checked the pseudo-header fields, the names and the length of the body. Pure.
enum StreamHeadRules {
    /// Validates a head, moves Host to the authority, and sets the scheme, which clients could otherwise choose.
    static func check(_ head: inout HTTPRequest, _ limits: ConnectionLimits) throws(RequestHeadRules.Refusal) {
        try checkSize(head, limits)
        try checkPath(head)
        try checkHost(&head)
        guard head.headerFields[values: .contentLength].count <= 1 else {
            throw RequestHeadRules.Refusal(status: .badRequest, message: "Content-Length is repeated")
        }
        head.scheme = "https"
    }

    private static func checkSize(
        _ head: HTTPRequest, _ limits: ConnectionLimits
    ) throws(RequestHeadRules.Refusal) {
        let fits = head.headerFields.allSatisfy { $0.value.utf8.count <= limits.fieldBytes }
        guard fits, head.headerFields.count <= limits.fields, head.path?.utf8.count ?? 0 <= limits.fieldBytes else {
            throw RequestHeadRules.Refusal(
                status: .requestHeaderFieldsTooLarge, message: "The request head is too large")
        }
    }

    private static func checkPath(_ head: HTTPRequest) throws(RequestHeadRules.Refusal) {
        let path = head.path ?? ""
        // By characters, as in ``RequestHeadRules``.
        guard head.method != .connect, path.hasPrefix("/") || path == "*",
            path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw RequestHeadRules.Refusal(status: .badRequest, message: "The request target is malformed") }
    }

    /// Requires exactly one valid host, in the authority, the Host field, or both.
    private static func checkHost(_ head: inout HTTPRequest) throws(RequestHeadRules.Refusal) {
        var hosts = head.headerFields[values: .hostField]
        if let authority = head.authority { hosts.append(authority) }
        guard let host = hosts.first, hosts.allSatisfy({ $0 == host }), BaseURL.isValid(host) else {
            throw RequestHeadRules.Refusal(status: .badRequest, message: "The host is missing or malformed")
        }
        head.authority = host
        head.headerFields[.hostField] = nil
    }
}
