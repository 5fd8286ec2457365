import FeedCore
import FeedTestSupport
import Foundation
import Testing

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
    /// The path with its query.
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

    /// The path with a position in the query.
    func path(since: String) -> String { path + (path.contains("?") ? "&" : "?") + "since=" + since }

    /// The words by which versions of statuses can be told apart.
    static func words(in text: String) -> [String] { text.matches(of: /word[0-9]+v[0-9]+x/).map { String($0.output) } }
}

extension StreamReader {
    /// 20 readers of every kind of stream.
    static func all(people: Int, lists: [Int64: StreamModel.List], since: String) -> [StreamReader] {
        var found: [(stream: StreamName, viewer: Int?, path: String)] = []
        found += (0..<people).map { (.user, $0, "/user") }
        found += [0, 1].map { (.userNotification, $0, "/user/notification") }
        found += [nil, 0, 1].map { (.public, $0, "/public") }
        found += [nil, 2].map { (.publicLocal, $0, "/public/local") }
        found += [nil, 4].map { (.hashtag("cats"), $0, "/hashtag?tag=cats") }
        found.append((.hashtagLocal("dogs"), 3, "/hashtag/local?tag=dogs"))
        found += lists.keys.sorted().map { (.list($0), lists[$0]?.owner, "/list?list=\($0)") }
        found += [0, 1, 2].map { (.direct, $0, "/direct") }
        return found.enumerated().map { number, reader in
            StreamReader(
                number: number, stream: reader.stream, viewer: reader.viewer, path: reader.path, since: since)
        }
    }

    /// Compares new events with the expected ones.
    /// - Parameter name: The seed, the step and the reader, for messages.
    /// - Returns: The number of new events.
    mutating func take(_ model: StreamModel, _ name: String) throws -> Int {
        guard let client else { return 0 }
        let before = checked
        for event in client.events.dropFirst(checked) {
            let found = Received(event)
            let wanted = checked < expected.count ? expected[checked] : nil
            let text = wanted.map { "\($0)" } ?? "nothing"
            try #require(
                wanted == found, "\(name): event \(checked): expected \(text), received \(found) in \(event.data)")
            for word in Self.words(in: event.data) {
                try #require(model.hasSeen(word, viewer), "\(name): learned \(word) from \(event.data)")
            }
            try #require(found.sequence > last, "\(name): received \(found) after \(last)")
            last = found.sequence
            checked += 1
        }
        return checked - before
    }

    /// Forgets a connection that has ended.
    mutating func leave(epoch: String) {
        if checked > 0 { since = "\(epoch)-\(last)" }
        (client, expected, checked) = (nil, [], 0)
    }
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
