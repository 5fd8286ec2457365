import FeedCore
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The rules for a request head of HTTP/2, as ``HTTP1RequestRule`` for HTTP/1.1 (RFC 9113 §8.2, §8.3). NIOHTTP2 has
/// already checked which pseudo-header fields there are, the names and the length of the body.
enum HTTP2RequestRule {
    static func head(_ headers: HPACKHeaders, _ limits: ConnectionLimits) throws(HeadRefusal) -> HTTP2RequestHead {
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

    private static func refusal(_ message: String) -> HeadRefusal {
        HeadRefusal(status: .badRequest, message: message)
    }

    private static func checkFields(
        _ headers: HPACKHeaders, _ target: String, _ limits: ConnectionLimits
    ) throws(HeadRefusal) {
        var (count, isTooLarge, isMalformed) = (0, target.utf8.count > limits.fieldBytes, false)
        for (name, value, _) in headers where name.utf8.first != UInt8(ascii: ":") {
            count += 1
            isTooLarge = isTooLarge || value.utf8.count > limits.fieldBytes
            // CR, LF, NUL, and whitespace around the value (RFC 9113 §8.2.1).
            isMalformed = isMalformed || !HTTPField.isValidValue(value)
        }
        guard !isTooLarge, count <= limits.fields else {
            throw HeadRefusal(status: .requestHeaderFieldsTooLarge, message: "The request head is too large")
        }
        guard !isMalformed else { throw refusal("A field of the request is malformed") }
    }

    private static func checkTarget(_ target: String, _ method: HTTPRequest.Method) throws(HeadRefusal) {
        // By characters, as in ``HTTP1RequestRule``.
        guard method != .connect, target.hasPrefix("/") || target == "*",
            target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw refusal("The request target is malformed") }
    }

    /// Requires exactly one valid host, in the authority, the Host field, or both.
    private static func host(_ headers: HPACKHeaders) throws(HeadRefusal) -> String {
        let hosts = headers["host"] + headers[":authority"]
        guard let host = hosts.first, hosts.allSatisfy({ $0 == host }), BaseURL.isValid(host) else {
            throw refusal("The host is missing or malformed")
        }
        return host
    }
}

/// The head of a request of HTTP/2.
struct HTTP2RequestHead {
    let method: HTTPRequest.Method
    let target: String
    let host: String
    /// All fields, also the pseudo-header fields.
    let headers: HPACKHeaders

    var expectsContinue: Bool { headers.first(name: "expect")?.lowercased() == "100-continue" }
}

/// Encodes responses as frames of HTTP/2 (RFC 9113 §8.1).
enum HTTP2ResponseEncoder {
    static let continueHead = HTTP2Frame.FramePayload.headers(.init(headers: [":status": "100"]))
    static let end = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))

    static func head(_ response: Response, endsStream: Bool) -> HTTP2Frame.FramePayload {
        var headers = HPACKHeaders()
        let common = response.common?.fields ?? []
        headers.reserveCapacity(response.headers.count + common.count + 1)
        headers.add(name: ":status", value: String(response.status.code))
        for field in response.headers { add(field, to: &headers) }
        for field in common { add(field, to: &headers) }
        return .headers(.init(headers: headers, endStream: endsStream))
    }

    private static func add(_ field: HTTPField, to headers: inout HPACKHeaders) {
        if !isOfConnection(field.name) { headers.add(name: field.name.canonicalName, value: field.value) }
    }

    static func body(_ bytes: ByteBuffer, endsStream: Bool = false) -> HTTP2Frame.FramePayload {
        .data(.init(data: .byteBuffer(bytes), endStream: endsStream))
    }

    /// Whether a field belongs to a connection of HTTP/1 (RFC 9113 §8.2.2).
    private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        name == .connection || name == .transferEncoding || name == .upgrade
    }
}

/// The bytes of a response that the client of a stream of HTTP/2 has taken.
///
/// A write counts when its last byte has reached the kernel. While bytes wait for the socket, this may take long for a
/// slow reader, so what the client acknowledges on the connection counts, too.
struct HTTP2StreamProgress {
    private var taken: Int64 = 0
    /// Bytes written since the latest measurement.
    private var written: Int64 = 0
    /// The bytes that the client had acknowledged on the connection at the latest measurement.
    private var acknowledged: Int64?

    mutating func wrote(_ bytes: Int) { written += Int64(bytes) }

    /// - Parameter acknowledged: The bytes that the client has acknowledged on the connection; `nil` if unknown, or if
    ///   nothing waits for the socket, so that only the windows of HTTP/2 can hold back the response.
    /// - Returns: A number that grows with each byte that the client takes.
    mutating func measure(acknowledged now: Int64?) -> Int64 {
        let recent = if let now, let acknowledged { now - acknowledged } else { Int64(0) }
        taken += max(written, recent)
        (written, acknowledged) = (0, now)
        return taken
    }
}
