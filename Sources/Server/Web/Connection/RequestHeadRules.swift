import FeedAPI
import NIOHTTP1

/// What the head of a request must be before anything else reads it (RFC 9112). Pure.
enum RequestHeadRules {
    /// Why a request is refused; the connection ends with the answer, since the length of its body is not to be trusted.
    struct Refusal: Error, Equatable {
        let status: HTTPResponseStatus
        let message: String
    }

    /// Checks a head and brings its target into origin form.
    static func check(_ head: inout HTTPRequestHead) throws(Refusal) {
        try useTargetHost(&head)
        try checkHost(head)
        try checkFraming(head.headers)
    }

    /// The host of an absolute target takes the place of the Host header (§3.2.2).
    private static func useTargetHost(_ head: inout HTTPRequestHead) throws(Refusal) {
        guard !head.uri.hasPrefix("/"), head.uri != "*" else { return }
        let scheme = ["http://", "https://"].first { head.uri.prefix($0.count).lowercased() == $0 }
        guard let scheme else { throw Refusal(status: .badRequest, message: "The request target is malformed") }
        let rest = head.uri.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        head.headers.replaceOrAdd(name: "Host", value: String(authority))
        let target = rest.dropFirst(authority.utf8.count)
        head.uri = target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// Exactly one valid Host in HTTP/1.1 (§3.2), at most one before.
    private static func checkHost(_ head: HTTPRequestHead) throws(Refusal) {
        let hosts = head.headers["Host"]
        let isOptional = head.version.isOld && hosts.isEmpty
        guard isOptional || hosts.count == 1 && BaseURL.isValid(hosts[0]) else {
            throw Refusal(status: .badRequest, message: "The Host header is missing or malformed")
        }
    }

    private static func checkFraming(_ headers: HTTPHeaders) throws(Refusal) {
        let codings = headers[canonicalForm: "Transfer-Encoding"]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }), codings.count <= 1 else {
            throw Refusal(status: .notImplemented, message: "The only supported Transfer-Encoding is chunked")
        }
        // The parser has refused anything that is not a number.
        guard headers["Content-Length"].allSatisfy({ Int64($0) != nil }) else {
            throw Refusal(status: .payloadTooLarge, message: "The body is too large")
        }
    }
}

extension HTTPVersion {
    /// HTTP/1.0 and 0.9: no chunks, and Host is optional.
    var isOld: Bool { self == .http1_0 || self == .http0_9 }
}
