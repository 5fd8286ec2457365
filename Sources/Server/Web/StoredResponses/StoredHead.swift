import FeedAPI
import FeedCore
import NIOCore
import NIOHTTP1

/// The head of a response as it was sent, with gaps for the fields that differ in every response. Pure.
struct StoredHead: Sendable, Equatable {
    /// The fields that differ.
    private enum Field: String {
        case date = "date"
        case requestID = "x-request-id"
        case limit = "x-ratelimit-limit"
        case remaining = "x-ratelimit-remaining"
        case reset = "x-ratelimit-reset"
    }

    private enum Part: Equatable {
        case text(String)
        case field(Field)

        /// The length of the fixed text in bytes.
        var length: Int { if case .text(let text) = self { text.utf8.count } else { 0 } }
    }

    /// The values of the fields that differ.
    struct Values {
        let date: String
        let requestID: String
        let rate: RateState?
    }

    /// The total length in bytes that the values of the fields rarely exceed.
    private static let gaps = 128

    /// Fields of a response that must not be sent again.
    private static let excluded = ["set-cookie", "connection", "transfer-encoding"]

    /// Whether the response tells the state of a rate limit.
    let hasRate: Bool
    /// The length of the body in bytes, for a 200 response.
    let contentLength: Int?
    /// The value of ETag.
    let tag: String?
    private let parts: [Part]
    /// The length of the fixed text in bytes.
    private let length: Int

    /// - Returns: `nil` for a response that must not be sent again.
    init?(_ head: HTTPResponseHead) {
        guard head.version == .http1_1, head.status == .ok || head.status == .notModified,
            !Self.excluded.contains(where: { head.headers.contains(name: $0) })
        else { return nil }
        contentLength = head.headers.first(name: "content-length").flatMap { Int($0) }
        tag = head.headers.first(name: "etag")
        guard contentLength != nil || head.status == .notModified else { return nil }
        var parts: [Part] = []
        var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
        for (name, value) in head.headers {
            // SwiftNIO omits the length where there is no body (RFC 9110 §8.6 permits either).
            if head.status == .notModified, name.lowercased() == "content-length" { continue }
            text += name + ": "
            if let field = Field(rawValue: name.lowercased()) {
                parts += [.text(text), .field(field)]
                text = ""
            } else {
                text += value
            }
            text += "\r\n"
        }
        self.parts = parts + [.text(text + "\r\n")]
        hasRate = parts.contains(.field(.remaining))
        length = self.parts.reduce(0) { $0 + $1.length }
    }

    /// The approximate size in bytes.
    var cost: Int { 320 + length + 64 * parts.count }

    /// The bytes of the head, up to and including the empty line.
    func bytes(_ values: Values, allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: length + Self.gaps)
        for part in parts {
            switch part {
            case .text(let text): buffer.writeString(text)
            case .field(let field): buffer.writeString(Self.value(of: field, values))
            }
        }
        return buffer
    }

    private static func value(of field: Field, _ values: Values) -> String {
        switch field {
        case .date: values.date
        case .requestID: values.requestID
        case .limit: values.rate?.limitText ?? ""
        case .remaining: values.rate?.remainingText ?? ""
        case .reset: values.rate?.resetText ?? ""
        }
    }
}
