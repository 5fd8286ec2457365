import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// The cost of replays when many clients return at the same time.
@Suite("Many replays", .hangLimit)
struct StreamReplayLoadTests {
    private static let texts = String(repeating: "much to read ", count: 38)

    /// Streams that continue at a position, which need not have been answered yet.
    private static func streams(_ count: Int, _ world: StreamWorld, since: String) throws -> [EventStreamClient] {
        try (0..<count).map { _ in try EventStreamClient(port: world.port, "/public", since: since) }
    }

    private static func post(_ count: Int, _ world: StreamWorld, _ text: String = "hello") async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count { ids.append(try await world.post(text, by: world.bob)) }
        return ids
    }

    /// Waits until only replays read.
    private static func awaitHub(_ world: StreamWorld) async throws {
        try await Wait.until("the publisher") { world.streams.reached.sequence == world.services.log.sequence }
    }

    @Test func fewReplaysReadAtTheSameTime() async throws {
        let (store, engine) = try ObservedEngine.store()
        try await StreamWorld.run(store: store) { world in
            let (start, ids) = (world.position, try await Self.post(70, world))
            try await Self.awaitHub(world)
            engine.hold()
            let streams = try Self.streams(20, world, since: start)
            try await Wait.until("all replays") { world.streams.replays.waiting + engine.running == 20 }
            #expect(engine.running == 2 && world.streams.replays.running == 2)
            engine.release()
            for stream in streams { #expect(try await stream.summary(70) == ids.map { "update \($0)" }) }
            #expect(engine.peak == 2 && world.streams.replays.running == 0 && world.streams.replays.waiting == 0)
        }
    }

    /// A replay that waits for its turn ends with its stream, not when its turn comes.
    @Test func replaysOfEndedStreamsDoNotWait() async throws {
        let (store, engine) = try ObservedEngine.store()
        try await StreamWorld.run(store: store) { world in
            let (start, ids) = (world.position, try await Self.post(2, world))
            try await Self.awaitHub(world)
            engine.hold()
            let reading = try Self.streams(2, world, since: start)
            try await Wait.until("two replays") { engine.running == 2 }
            let waiting = try Self.streams(3, world, since: start)
            try await Wait.until("three more") { world.streams.replays.waiting == 3 }
            for stream in waiting { stream.disconnect() }
            try await Wait.until("their end") { world.streams.replays.waiting == 0 }
            #expect(engine.running == 2)
            engine.release()
            for stream in reading { #expect(try await stream.summary(2) == ids.map { "update \($0)" }) }
        }
    }

    /// More clients that never read than replays may run.
    @Test func clientsThatDoNotReadDelayNoOthers() async throws {
        try await StreamWorld.run { world in
            let (start, ids) = (world.position, try await Self.post(300, world, Self.texts))
            let request = "GET /api/v1/streaming/public?since=\(start) HTTP/1.1\r\nHost: feed.test\r\n\r\n"
            let stalled = try HeldConnections(6, port: world.port, sending: Data(request.utf8), receiveBuffer: 4096)
            try await Wait.until("all streams") { world.streams.count == 6 && stalled.haveBytes }
            let stream = try await world.open("/public", since: start)
            #expect(try await stream.summary(300) == ids.map { "update \($0)" })
            // They are still catching up, and nobody waits for them.
            #expect(world.streams.count == 7 && world.streams.subscriptionCount <= 1)
            try await Wait.until("the end of all turns") { world.streams.replays.running == 0 }
            #expect(world.streams.replays.waiting == 0)
            _ = stalled
        }
    }

    /// Batches contain every event once, and no more than their size; a large event has a batch of its own.
    @Test(arguments: [1, 8 * 1024, 64 * 1024]) func batchesAreLimited(bytes: Int) async throws {
        try await StreamWorld.run { world in
            let start = world.store.database.log.sequence
            for number in 0..<70 {
                let id = try await world.post(number.isMultiple(of: 3) ? Self.texts : "short", by: world.bob)
                if number.isMultiple(of: 7) { try await world.delete(id, by: world.bob) }
            }
            let stream = try await world.open("/public")
            defer { stream.disconnect() }
            let subscription = StreamSubscription(
                subscriber: try #require(world.streams.subscribers().first),
                selection: try StreamSelection(path: "public", RequestParameters()))
            let services = world.services
            var missed = world.services.missedEvents
            missed.maximumBytes = bytes
            var position = ChangePosition(epoch: services.log.epoch, sequence: start)
            var events: [ByteBuffer] = []
            var batches = 0
            while let batch = try await missed.next(after: position, for: subscription) {
                try #require(batch.last > position.sequence)
                let size = batch.events.reduce(0) { $0 + $1.readableBytes }
                #expect(batch.events.count <= 32 && (batch.events.count <= 1 || size <= bytes))
                events += batch.events
                position = ChangePosition(epoch: position.epoch, sequence: batch.last)
                batches += 1
            }
            // The events of a stream that reads them one by one.
            let whole = try await world.open("/public?since=\(services.log.epoch)-\(start)")
            let wanted = try await whole.events(70)
            #expect(wanted.count == 70)
            #expect(events.map { String(buffer: $0) } == wanted.map(Self.text))
            // Without a limit, 32 rows at a time would be three batches.
            #expect(batches >= (bytes == 1 ? 70 : bytes < 64 * 1024 ? 4 : 3), "\(batches)")
        }
    }

    /// Few rows are read whose events do not fit into the batch.
    @Test func rowsFollowTheSizeOfTheEvents() async throws {
        try await StreamWorld.run { world in
            let start = world.store.database.log.sequence
            _ = try await Self.post(70, world, Self.texts)
            let stream = try await world.open("/public")
            defer { stream.disconnect() }
            let subscription = StreamSubscription(
                subscriber: try #require(world.streams.subscribers().first),
                selection: try StreamSelection(path: "public", RequestParameters()))
            var missed = world.services.missedEvents
            missed.maximumBytes = 8 * 1024
            var position = ChangePosition(epoch: world.services.log.epoch, sequence: start)
            var (read, batches, rows) = (0, 0, MissedEvents.maximumRows)
            while let batch = try await missed.next(after: position, for: subscription, rows: rows) {
                position = ChangePosition(epoch: position.epoch, sequence: batch.last)
                (read, batches, rows) = (read + rows, batches + 1, batch.nextRows)
            }
            // The first batch is a guess; later ones may be wrong by one row.
            #expect(batches > 4 && read <= 70 + MissedEvents.maximumRows + batches, "\(read) rows, \(batches) batches")
        }
    }

    private static func text(_ event: EventStreamClient.Event) -> String {
        "event: \(event.name)\ndata: \(event.data)\nid: \(event.id ?? "")\n\n"
    }
}
