import FeedAPI
import FeedCore
import NIOCore

/// The encoding in which a connection receives events.
enum EventEncoding: Sendable, Hashable {
    /// Server-sent events (HTML Standard §9.2.6). A stream is a connection of its own, so events do not name it.
    case serverSentEvents
    /// The text of a WebSocket message.
    /// - Parameter stream: The member `stream`.
    case webSocket(stream: [String])

    /// An event with its data, which is JSON on one line.
    /// - Parameter position: The text of the position after the event.
    func bytes(_ event: StreamEventType, data: [UInt8], position: String) -> ByteBuffer {
        switch self {
        case .serverSentEvents: Self.event(event.rawValue, data, "id: \(position)\n")
        case .webSocket(let stream): Self.message(event, data, stream, position)
        }
    }

    /// The line after `event` is `data`, as in Mastodon: clients exist that read line by line and take it for that.
    /// - Parameter field: A further line, which follows the data.
    private static func event(_ name: String, _ data: [UInt8], _ field: String) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(data.count + field.utf8.count + name.utf8.count + 24)
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\(field)\n")
        return buffer
    }

    /// As Mastodon's: `payload` is a string that contains JSON.
    private static func message(
        _ event: StreamEventType, _ data: [UInt8], _ stream: [String], _ position: String
    ) -> ByteBuffer {
        var json = JSONWriter(capacity: data.count + data.count / 4 + 160)
        json.object {
            $0.array("stream") { for part in stream { $0.string(part) } }
            $0.field("event", event.rawValue)
            if event != .filtersChanged {
                $0.key("payload")
                $0.string(String(decoding: data, as: UTF8.self))
            }
            $0.field("id", position)
        }
        return ByteBuffer(bytes: json.bytes)
    }
}
