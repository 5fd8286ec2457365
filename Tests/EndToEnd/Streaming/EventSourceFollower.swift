import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A page in Chromium that follows the home timeline of an account and the public one with `EventSource`, which connects
/// again by itself.
struct EventSourceFollower: Sendable {
    private struct Event: Decodable {
        let stream: String
        let event: String
        let id: String
        let position: String?
    }

    private static let streams = ["user", "public"]
    /// Lines about the connection rather than the stream.
    private static let states: Set<String> = ["open", "lost", "shutdown"]
    private let folder: TemporaryFolder
    private let output: String

    /// Follows both streams until a status with the text ``end`` arrives.
    /// - Parameter act: What happens meanwhile, once both streams are open.
    static func following(
        _ address: String, token: String, _ act: (EventSourceFollower) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let follower = EventSourceFollower(folder: folder, output: try folder.file("events", ""))
        let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Mastodon/Drivers/eventsource_follow.py")
        async let finished = MastodonClient.chromium.drive(
            driver, arguments: [address, token], output: follower.output)
        try await follower.opened(1)
        try await act(follower)
        let done = try await finished
        #expect(done.code == 0, "\(done.error.suffix(2000))")
    }

    /// The text of the status that ends the program.
    static let end = "the end"

    private func events(of stream: String) -> [Event] {
        let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        // The last line may not be complete yet.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .compactMap { try? JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
            .filter { $0.stream == stream }
    }

    /// Waits until both streams have been opened a number of times.
    func opened(_ count: Int) async throws {
        try await Wait.until("both streams are open") {
            Self.streams.allSatisfy { events(of: $0).count { $0.event == "open" } >= count }
        }
    }

    /// Whether the server has told both streams that it shuts down.
    var wasToldOfShutdown: Bool { Self.streams.allSatisfy { events(of: $0).contains { $0.event == "shutdown" } } }
}

extension EventSourceFollower {
    private func received(on stream: String) -> [Event] {
        events(of: stream).filter { !Self.states.contains($0.event) }
    }

    /// Waits until both streams have received events, and expects exactly these.
    /// - Parameter events: Events like `update 117`, in order.
    func received(_ events: [String]) async throws {
        try await Wait.until("\(events.count) events") {
            Self.streams.allSatisfy { received(on: $0).count >= events.count }
        }
        for stream in Self.streams {
            #expect(received(on: stream).map { "\($0.event) \($0.id)" } == events, "\(stream)")
        }
        try expectPositions()
    }

    /// Positions only advance, and are the same on both streams.
    private func expectPositions() throws {
        let positions = Self.streams.map { received(on: $0).compactMap(\.position) }
        #expect(positions[0] == positions[1])
        let parts = positions[0].map { $0.split(separator: "-") }
        #expect(Set(parts.map { Array($0.dropLast()) }).count == 1, "epochs in \(positions[0])")
        let sequences = try parts.map { try #require($0.last.flatMap { Int64($0) }) }
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "\(sequences)")
    }
}
