import FeedAPI
import NIOHTTP1

/// The rules for a request head, checked before any other handler reads it (RFC 9112). Pure.
enum RequestHeadRules {
    /// The reason why a request is rejected. The connection closes after the response, since the body's length cannot
    /// be trusted.
    struct Refusal: Error, Equatable {
        let status: HTTPResponseStatus
        let message: String
    }

    /// Validates a head and rewrites its target in origin form.
    static func check(_ head: inout HTTPRequestHead) throws(Refusal) {
        try useTargetHost(&head)
        try checkHost(head)
        try checkFraming(head.headers)
    }

    /// Replaces the Host header with the host of an absolute-form target (§3.2.2).
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

    /// Requires exactly one valid Host in HTTP/1.1 (§3.2), at most one in older versions.
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
        // The parser rejects anything that is not a number, so a value that fails here overflows.
        guard headers["Content-Length"].allSatisfy({ Int64($0) != nil }) else {
            throw Refusal(status: .payloadTooLarge, message: "The body is too large")
        }
    }
}

extension HTTPVersion {
    /// HTTP/1.0 or 0.9, which lack chunked coding and do not require Host.
    var isOld: Bool { self == .http1_0 || self == .http0_9 }
}
