import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The frames of responses of HTTP/2 (RFC 9113 §8.1).
enum HTTP2Encoding {
    static let continueHead = HTTP2Frame.FramePayload.headers(.init(headers: [":status": "100"]))
    static let end = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))

    static func head(_ response: Response, endsStream: Bool) -> HTTP2Frame.FramePayload {
        var headers = HPACKHeaders()
        headers.reserveCapacity(response.headers.count + 1)
        headers.add(name: ":status", value: String(response.status.code))
        for field in response.headers where !isOfConnection(field.name) {
            headers.add(name: field.name.canonicalName, value: field.value)
        }
        return .headers(.init(headers: headers, endStream: endsStream))
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
