import FeedCore
import HTTPTypes
import NIOHPACK
import NIOHTTP1

/// The head of a request of HTTP/2.
struct HTTP2RequestHead {
    let method: HTTPRequest.Method
    let target: String
    let host: String
    /// All fields, also the pseudo-header fields.
    let headers: HPACKHeaders

    var expectsContinue: Bool { headers.first(name: "expect")?.lowercased() == "100-continue" }
}

/// The rules for a request head of HTTP/2, as ``RequestHeadRules`` for HTTP/1.1 (RFC 9113 §8.2, §8.3). NIOHTTP2 has
/// already checked which pseudo-header fields there are, the names and the length of the body.
enum HTTP2HeadRules {
    static func head(
        _ headers: HPACKHeaders, _ limits: ConnectionLimits
    ) throws(RequestHeadRules.Refusal) -> HTTP2RequestHead {
        guard let method = headers.first(name: ":method").flatMap({ HTTPRequest.Method($0) }) else {
            throw refusal("The method is malformed")
        }
        let target = headers.first(name: ":path") ?? ""
        try checkFields(headers, target, limits)
        try checkTarget(target, method)
        let host = try host(headers)
        guard headers["content-length"].count <= 1 else { throw refusal("Content-Length is repeated") }
        return HTTP2RequestHead(method: method, target: target, host: host, headers: headers)
    }

    private static func refusal(_ message: String) -> RequestHeadRules.Refusal {
        RequestHeadRules.Refusal(status: .badRequest, message: message)
    }

    private static func checkFields(
        _ headers: HPACKHeaders, _ target: String, _ limits: ConnectionLimits
    ) throws(RequestHeadRules.Refusal) {
        var (count, isTooLarge, isMalformed) = (0, target.utf8.count > limits.fieldBytes, false)
        for (name, value, _) in headers where name.utf8.first != UInt8(ascii: ":") {
            count += 1
            isTooLarge = isTooLarge || value.utf8.count > limits.fieldBytes
            // CR, LF, NUL, and whitespace around the value (RFC 9113 §8.2.1).
            isMalformed = isMalformed || !HTTPField.isValidValue(value)
        }
        guard !isTooLarge, count <= limits.fields else {
            throw RequestHeadRules.Refusal(
                status: .requestHeaderFieldsTooLarge, message: "The request head is too large")
        }
        guard !isMalformed else { throw refusal("A field of the request is malformed") }
    }

    private static func checkTarget(
        _ target: String, _ method: HTTPRequest.Method
    ) throws(RequestHeadRules.Refusal) {
        // By characters, as in ``RequestHeadRules``.
        guard method != .connect, target.hasPrefix("/") || target == "*",
            target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw refusal("The request target is malformed") }
    }

    /// Requires exactly one valid host, in the authority, the Host field, or both.
    private static func host(_ headers: HPACKHeaders) throws(RequestHeadRules.Refusal) -> String {
        let hosts = headers["host"] + headers[":authority"]
        guard let host = hosts.first, hosts.allSatisfy({ $0 == host }), BaseURL.isValid(host) else {
            throw refusal("The host is missing or malformed")
        }
        return host
    }
}
