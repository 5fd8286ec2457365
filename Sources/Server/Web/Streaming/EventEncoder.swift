import FeedAPI
import FeedCore
import HTTPTypes
import NIOCore

/// Encodes events as a connection receives them.
enum EventEncoder: Sendable, Hashable {
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

/// Messages that the server sends on a stream besides events.
enum StreamNotice {
    private static let comment = ByteBuffer(string: ":thump\n")

    /// A comment that keeps server-sent events alive. Only one line: clients take an empty one for the end of an event.
    /// - Parameter position: A position that the client should remember: the id of an event without data.
    ///
    /// Mastodon.py fails on an `id` without an event. For it and for many others, only LF ends a line, so the whole is one
    /// comment. For the HTML Standard (§9.2.6) and therefore for browsers, CR ends a line, too.
    static func comment(at position: ChangePosition?) -> ByteBuffer {
        guard let position else { return comment }
        return ByteBuffer(string: ":thump\rid: \(position.formatted)\r\r:\n")
    }

    /// The last event of a stream that the server ends. `retry` sets the time after which browsers reconnect; it is part
    /// of an event with a name and data, because some clients fail on any other.
    /// - Parameter milliseconds: When to reconnect; `nil` to leave it to the client.
    static func lastEvent(_ end: StreamEnd, retryAfter milliseconds: Int?) -> ByteBuffer {
        let retry = milliseconds.map { "retry: \($0)\n" } ?? ""
        return ByteBuffer(
            string: "event: \(name(end))\ndata: \(data(end, retryAfter: milliseconds))\n\(retry)\n")
    }

    /// The same as a WebSocket message.
    static func lastMessage(_ end: StreamEnd, retryAfter milliseconds: Int?) -> ByteBuffer {
        var json = JSONWriter(capacity: 128)
        json.object {
            $0.field("event", name(end))
            $0.field("payload", data(end, retryAfter: milliseconds))
        }
        return ByteBuffer(bytes: json.bytes)
    }

    /// The response to a message of a WebSocket that is refused.
    static func refusal(_ problem: ErrorResponse) -> ByteBuffer {
        var json = JSONWriter(capacity: 128)
        json.object {
            $0.field("error", problem.message)
            $0.field("status", problem.status.code)
            if let hint = problem.hint { $0.field("error_description", hint) }
        }
        return ByteBuffer(bytes: json.bytes)
    }

    private static func name(_ end: StreamEnd) -> String { end == .shutdown ? "shutdown" : "dropped" }

    private static func data(_ end: StreamEnd, retryAfter milliseconds: Int?) -> String {
        var json = JSONWriter(capacity: 64)
        json.object {
            $0.field("reason", end.rawValue)
            if let milliseconds { $0.field("retry", milliseconds) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// Events on their way to the event loops of their subscribers. Equal events are encoded once and share their bytes, and
/// the events of a subscriber are written together.
struct EventBatch {
    private struct Item: Sendable {
        let output: NIOLoopBoundBox<StreamBuffer>
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
        var encoded: [EventEncoder: ByteBuffer] = [:]
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
