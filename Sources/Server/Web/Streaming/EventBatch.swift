import FeedAPI
import FeedCore
import NIOCore

/// Events on their way to the event loops of their subscribers. Equal events are encoded once and share their bytes, and
/// the events of a subscriber are written together.
struct EventBatch {
    private struct Item: Sendable {
        let output: NIOLoopBoundBox<SubscriberOutput>
        let event: ByteBuffer
        /// Of the change that causes the event.
        let sequence: Int64
    }

    private struct Batch {
        let eventLoop: any EventLoop
        var items: [Item] = []
    }

    /// Far less than the buffer of a subscriber.
    private static let maximumBytes = 16 * 1024
    private static let maximumCount = 16_384

    private var batches: [ObjectIdentifier: Batch] = [:]
    /// At least what a subscriber receives on one stream.
    private var bytes = 0
    private var count = 0

    /// Whether the events must be sent before others are added.
    var isFull: Bool { bytes >= Self.maximumBytes || count >= Self.maximumCount }

    mutating func add(_ event: StreamEventType, at position: ChangePosition, _ groups: [PayloadGroup]) {
        for group in groups { add(event, at: position, group) }
        bytes += groups.map(\.data.count).max() ?? 0
    }

    private mutating func add(_ event: StreamEventType, at position: ChangePosition, _ group: PayloadGroup) {
        count += group.subscriptions.count
        let text = position.formatted
        var encoded: [EventEncoding: ByteBuffer] = [:]
        for subscription in group.subscriptions {
            let (encoding, loop) = (subscription.encoding, subscription.subscriber.eventLoop)
            let bytes = encoded[encoding] ?? encoding.bytes(event, data: group.data, position: text)
            encoded[encoding] = bytes
            batches[ObjectIdentifier(loop), default: Batch(eventLoop: loop)].items
                .append(Item(output: subscription.subscriber.output, event: bytes, sequence: position.sequence))
        }
    }

    /// Returns once the event loops have taken the events, however slow the subscribers are.
    func send() async {
        let sent = batches.values.map { batch in
            let items = batch.items
            return batch.eventLoop.submit {
                for item in items { item.output.value.receive(item.event, of: item.sequence) }
                for item in items { item.output.value.flush() }
            }
        }
        // Fails only if the event loop has been shut down.
        for future in sent { try? await future.get() }
    }
}

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
