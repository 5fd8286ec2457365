import FeedCore
import FeedTestSupport
import Foundation

@testable import FeedWeb

/// A reader of one stream, over any number of connections.
struct StreamReader {
    /// An event, as the model describes it.
    struct Received: Equatable {
        let sequence: Int64
        let text: String
    }

    let number: Int
    let stream: StreamName
    /// The number of the person; `nil` for an anonymous visitor.
    let viewer: Int?
    /// The path with the start of a query.
    let path: String
    /// The position where the next connection continues.
    var since: String
    /// The connection, if there is one.
    var client: EventStreamClient?
    /// The events that the connection must receive.
    var expected: [Received] = []
    /// The number of events of the connection that were as expected.
    var checked = 0
    /// The sequence number of the last event of all connections.
    var last: Int64 = 0

    init(number: Int, stream: StreamName, viewer: Int?, path: String, since: String) {
        (self.number, self.stream, self.viewer) = (number, stream, viewer)
        (self.path, self.since) = (path, since)
    }

    /// The sequence number in ``since``.
    var position: Int64 { since.split(separator: "-").last.flatMap { Int64($0) } ?? 0 }

    /// The words by which versions of statuses can be told apart.
    static func words(in text: String) -> [String] { text.matches(of: /word[0-9]+v[0-9]+x/).map { String($0.output) } }
}

extension StreamReader.Received {
    init(_ event: EventStreamClient.Event) {
        let sequence = event.id?.split(separator: "-").last.flatMap { Int64($0) } ?? 0
        let word = StreamReader.words(in: event.data).first
        let parts: [String?]
        switch event.name {
        case "update", "status.update": parts = [event.name, event["id"], word]
        case "notification":
            parts = [event.name, event["type"], Self.member("account", "username", of: event.data), word]
        case "conversation": parts = [event.name, Self.member("last_status", "id", of: event.data), word]
        default: parts = [event.name, event.data]
        }
        self.init(sequence: sequence, text: parts.compactMap(\.self).joined(separator: " "))
    }

    private static func member(_ object: String, _ name: String, of data: String) -> String? {
        let json = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        return (json?[object] as? [String: Any])?[name] as? String
    }
}
