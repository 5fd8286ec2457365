import FeedAPI
import FeedCore
import NIOCore
import NIOHTTP1

/// The head of a response as it was sent, with gaps for the fields that differ in every response. Pure.
struct StoredHead: Sendable, Equatable {
    /// The fields that differ.
    private enum Field: String, CaseIterable {
        case date = "date"
        case requestID = "x-request-id"
        case limit = "x-ratelimit-limit"
        case remaining = "x-ratelimit-remaining"
        case reset = "x-ratelimit-reset"

        /// - Parameter name: In any case.
        init?(name: String) {
            let field = Self.allCases.first {
                // Most names differ in length already.
                name.utf8.count == $0.rawValue.utf8.count && name.lowercased() == $0.rawValue
            }
            guard let field else { return nil }
            self = field
        }
    }

    /// A field whose value belongs at an offset of ``text``.
    private struct Gap: Equatable {
        let field: Field
        let offset: Int
    }

    /// The values of the fields that differ.
    struct Values {
        let date: String
        let requestID: String
        let rate: RateState?
    }

    /// The total length in bytes that the values of the fields rarely exceed.
    private static let valueBytes = 128

    /// Fields of a response that must not be sent again.
    private static let excluded = ["set-cookie", "connection", "transfer-encoding"]

    /// Whether the response tells the state of a rate limit.
    let hasRate: Bool
    /// The length of the body in bytes, for a 200 response.
    let contentLength: Int?
    /// The value of ETag.
    let tag: String?
    /// What is the same in every response, in UTF-8.
    private let text: [UInt8]
    /// In the order of their offsets.
    private let gaps: [Gap]

    /// - Returns: `nil` for a response that must not be sent again.
    init?(_ head: HTTPResponseHead) {
        guard head.version == .http1_1, head.status == .ok || head.status == .notModified,
            !Self.excluded.contains(where: { head.headers.contains(name: $0) })
        else { return nil }
        contentLength = head.headers.first(name: "content-length").flatMap { Int($0) }
        tag = head.headers.first(name: "etag")
        guard contentLength != nil || head.status == .notModified else { return nil }
        var (text, gaps): (String, [Gap]) = ("HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n", [])
        text.reserveCapacity(1024)
        for (name, value) in head.headers {
            // SwiftNIO omits the length where there is no body (RFC 9110 §8.6 permits either).
            if head.status == .notModified, name.lowercased() == "content-length" { continue }
            text += name
            text += ": "
            if let field = Field(name: name) {
                gaps.append(Gap(field: field, offset: text.utf8.count))
            } else {
                text += value
            }
            text += "\r\n"
        }
        self.text = Array((text + "\r\n").utf8)
        self.gaps = gaps
        hasRate = gaps.contains { $0.field == .remaining }
    }

    /// The approximate size in bytes.
    var cost: Int { 320 + text.count + 16 * gaps.count }

    /// The bytes of the head, up to and including the empty line.
    func bytes(_ values: Values, allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: text.count + Self.valueBytes)
        var start = 0
        for gap in gaps {
            buffer.writeBytes(text[start..<gap.offset])
            buffer.writeString(Self.value(of: gap.field, values))
            start = gap.offset
        }
        buffer.writeBytes(text[start...])
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
