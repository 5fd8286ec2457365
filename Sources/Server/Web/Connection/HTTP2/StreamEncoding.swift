import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The frames of responses of HTTP/2 (RFC 9113 §8.1).
enum StreamEncoding {
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
