import FeedAPI
import FeedCore
import HTTPTypes
import NIOCore

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
    static func refusal(_ problem: Problem) -> ByteBuffer {
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
