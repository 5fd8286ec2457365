import Foundation
import Synchronization
import TestKit

/// A client of server-sent events (HTML Standard §9.2.6).
package final class EventStreamClient: Sendable {
    package struct Event: Sendable, Equatable {
        package var name = ""
        package var data = ""
        package var id: String?
        package var retry: Int?

        /// A text in the data, if that is a JSON object.
        package subscript(name: String) -> String? {
            let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
            return object?[name] as? String
        }
    }

    private let connection: CollectingConnection
    /// The events of a number of received bytes. Tests that wait ask again and again.
    private let known = Mutex<(bytes: Int, events: [Event])>((0, []))

    /// - Parameters:
    ///   - path: The path below `/api/v1/streaming`, with the query.
    ///   - headers: Further lines of the head.
    package init(
        port: Int, _ path: String, token: String? = nil, since: String? = nil, headers: [String] = [],
        from source: String? = nil
    ) throws {
        var lines = ["GET /api/v1/streaming\(path) HTTP/1.1", "Host: feed.test"] + headers
        if let token { lines.append("Authorization: Bearer " + token) }
        if let since { lines.append("Last-Event-ID: " + since) }
        let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        connection = try CollectingConnection(port: port, from: source, sending: head)
    }

    package var isClosed: Bool { connection.isClosed }

    package func disconnect() { connection.disconnect() }

    /// The head of the response; `nil` until it has arrived.
    package var head: RawHTTP.Response? {
        let bytes = connection.bytes
        guard bytes.range(of: Data("\r\n\r\n".utf8)) != nil else { return nil }
        return try? RawHTTP.parse(bytes)
    }

    /// Waits for the head of the response, and for its body if the length is known.
    @discardableResult
    package func opened() async throws -> RawHTTP.Response {
        try await Wait.until("the response") { head?.isComplete ?? false || isClosed }
        guard let head else { throw RawFailure(text: "the connection was closed without a response") }
        return head
    }

    /// The body without its chunked coding.
    package var text: String {
        guard let head else { return "" }
        return String(decoding: Self.dechunked(head.body), as: UTF8.self)
    }

    /// The complete events that have arrived.
    package var events: [Event] {
        let count = connection.bytes.count
        let found = known.withLock { $0.bytes == count ? $0.events : nil }
        if let found { return found }
        var parts = text.components(separatedBy: "\n\n")
        // The last part is not complete yet.
        parts.removeLast()
        let events = parts.compactMap(Self.event)
        known.withLock { $0 = (count, events) }
        return events
    }

    /// The number of comments.
    package var comments: Int { text.split(separator: "\n").count { $0.hasPrefix(":") } }

    /// The complete lines that have arrived, as the standard separates them.
    private var lines: [String] { text.components(separatedBy: .newlines).dropLast() }

    /// The ids that have arrived, those of events and others.
    package var ids: [String] { lines.filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) } }

    /// The id from which the client continues: the one before the last empty line.
    package var lastEventID: String? {
        guard let end = lines.lastIndex(of: "") else { return nil }
        return lines[..<end].last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    /// Waits for a number of events.
    package func events(_ count: Int) async throws -> [Event] {
        try await Wait.until("\(count) events in \(text.suffix(500))") { events.count >= count || isClosed }
        return events
    }

    /// Waits until the server has closed the connection.
    package func closed() async throws { try await Wait.until("the end of the stream") { isClosed } }

    private static func event(_ text: String) -> Event? {
        var event = Event()
        for line in text.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            switch parts[0] {
            case "event": event.name = value
            case "data": event.data += value
            case "id": event.id = value
            case "retry": event.retry = Int(value)
            default: break
            }
        }
        return event == Event() ? nil : event
    }

    /// Reads a stream as clients do that know only names and data: the line after `event` holds the data.
    package static func readLineByLine(_ text: String) -> [Event] {
        let lines = text.components(separatedBy: "\n")
        return zip(lines, lines.dropFirst()).compactMap { line, next in
            guard line.hasPrefix("event: ") else { return nil }
            return Event(
                name: String(line.dropFirst(7)), data: next.hasPrefix("data: ") ? String(next.dropFirst(6)) : "")
        }
    }

    private static func dechunked(_ body: Data) -> Data {
        var (rest, result) = (body[...], Data())
        let end = Data("\r\n".utf8)
        while let line = rest.range(of: end) {
            let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16), rest.distance(from: line.upperBound, to: rest.endIndex) >= size + 2
            else { break }
            result += rest[line.upperBound...].prefix(size)
            rest = rest[line.upperBound...].dropFirst(size + 2)
        }
        return result
    }
}
