import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The rules for a request head, checked before any other handler reads it (RFC 9112).
enum HTTP1RequestRule {
    /// Whether optional whitespace surrounds a value (RFC 9110 §5.5), which the parser leaves in some cases.
    static func hasOuterBlanks(_ value: String) -> Bool {
        isBlank(value.utf8.first) || isBlank(value.utf8.last)
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func removeBlanks(_ headers: inout HTTPHeaders) {
        guard headers.contains(where: { hasOuterBlanks($0.value) }) else { return }
        headers = HTTPHeaders(
            headers.map { name, value in
                let bytes = value.utf8.drop { isBlank($0) }
                let end = bytes.lastIndex { !isBlank($0) }
                return (name, end.map { String(value[bytes.startIndex...$0]) } ?? "")
            })
    }

    /// Validates a head and rewrites its target in origin form.
    static func check(_ head: inout HTTPRequestHead) throws(HeadRefusal) {
        // RFC 9110 §7.8.
        if head.version.isOld { head.headers.remove(name: "Upgrade") }
        removeBlanks(&head.headers)
        try useTargetHost(&head)
        try checkHost(head)
        try checkFraming(head.headers)
    }

    /// Replaces the Host header with the host of an absolute-form target (§3.2.2).
    private static func useTargetHost(_ head: inout HTTPRequestHead) throws(HeadRefusal) {
        guard !head.uri.hasPrefix("/"), head.uri != "*" else { return }
        let scalars = head.uri.unicodeScalars
        let scheme = ["http://", "https://"].first { Substring(scalars.prefix($0.utf8.count)).lowercased() == $0 }
        guard let scheme else { throw malformedTarget }
        let rest = head.uri.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = Substring(rest[authority.endIndex...])
        head.headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
        head.uri = target.utf8.first == UInt8(ascii: "/") ? String(target) : "/" + target
        // A combining mark after the slash would form one character with it.
        guard head.uri.hasPrefix("/") else { throw malformedTarget }
    }

    private static let malformedTarget = HeadRefusal(status: .badRequest, message: "The request target is malformed")

    /// Requires exactly one valid Host in HTTP/1.1 (§3.2), at most one in older versions.
    private static func checkHost(_ head: HTTPRequestHead) throws(HeadRefusal) {
        let hosts = head.headers["Host"]
        let isOptional = head.version.isOld && hosts.isEmpty
        guard isOptional || hosts.count == 1 && BaseURL.isValid(hosts[0]) else {
            throw HeadRefusal(status: .badRequest, message: "The Host header is missing or malformed")
        }
    }

    private static func checkFraming(_ headers: HTTPHeaders) throws(HeadRefusal) {
        let codings = headers[canonicalForm: "Transfer-Encoding"]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }), codings.count <= 1 else {
            throw HeadRefusal(status: .notImplemented, message: "The only supported Transfer-Encoding is chunked")
        }
        // The parser rejects anything that is not a number, so a value that fails here overflows.
        guard headers["Content-Length"].allSatisfy({ Int64($0) != nil }) else {
            throw HeadRefusal(status: .contentTooLarge, message: "The body is too large")
        }
    }
}
