import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore
@testable import FeedWeb

/// A long random walk of posts, replies, edits, deletions, boosts, follows, blocks and mutes, with 20 readers of streams who
/// lose their connections at random and continue where they stopped. Each receives exactly what a model says, once and in
/// order, and no text that it could not see at any time.
@Suite(.hangLimit)
struct StreamWalkTests {
    @Test func streamsMatchTheModel() async throws {
        let seed = Soak.seed
        try await StreamWorld.run { world in
            var walk = try await StreamWalk(world, people: 5, seed: seed)
            for _ in 0..<Soak.rounds(100, soaking: 3000) { try await walk.step() }
            try await walk.finish()
            let statistics: Comment = "seed \(seed): \(walk.received) events, \(walk.replays) replays"
            #expect(walk.received > 150 && walk.replays > 30, statistics)
        }
    }
}

/// Readers of streams, and the people whose actions they are notified of.
struct StreamWalk {
    private let world: StreamWorld
    private let seed: UInt64
    private var random: SplitMix64
    private var people: StreamPeople
    private var readers: [StreamReader] = []
    /// The positions of what has happened in the log.
    private var sequences: [Int64] = []
    private var logged: Int64 = 0
    /// The numbers of events received, and of connections that continued where another one stopped.
    private(set) var received = 0
    private(set) var replays = 0

    private var store: TestStore { world.store }
    private var model: StreamModel { people.model }

    init(_ world: StreamWorld, people count: Int, seed: UInt64) async throws {
        (self.world, self.seed) = (world, seed)
        random = SplitMix64(seed: seed)
        people = StreamPeople(world.store, SplitMix64(seed: seed &+ 1))
        logged = world.store.database.log.sequence
        for index in 0..<count { people.add(try await world.test.account("user\(index)")) }
        try await people.begin()
        try await readLog()
        let position = world.position
        readers = StreamReader.all(people: count, lists: model.lists, since: position)
        try await connect()
    }

    /// Does one thing, and checks what the readers receive.
    mutating func step() async throws {
        try await people.act()
        try await settle()
        if Int.random(in: 0..<3, using: &random) > 0 { try await connect() }
    }

    /// Connects everybody, and ends all blocks and mutes for two statuses that reach every stream.
    mutating func finish() async throws {
        try await connect()
        try await people.makePeace()
        try await settle(dropping: false)
        for visibility in [Visibility.public, .direct] {
            try await people.addressAll(visibility)
            try await settle(dropping: false)
        }
    }
}

// The readers.
extension StreamWalk {
    private func message(_ reader: StreamReader) -> String {
        """
        seed \(seed), \(people.step): reader \(reader.number) of \(reader.path) as \
        \(reader.viewer.map { "user\($0)" } ?? "nobody") since \(reader.since)
        """
    }

    /// Waits until the readers have received what happened. Some leave before that.
    private mutating func settle(dropping: Bool = true) async throws {
        people.noteWhatIsSeen()
        let known = sequences.count
        try await readLog()
        for index in readers.indices where readers[index].client != nil { expect(index, from: known) }
        for index in readers.indices where dropping && Int.random(in: 0..<16, using: &random) == 0 {
            try await drop(index)
        }
        // The row after the events has no recipients. The publisher may read it together with them. They must have been sent,
        // too: what people do before that could change who receives them.
        try await store.changes.recordEmojiChange()
        let (streams, log) = (world.streams, store.database.log)
        try await Wait.until("the publisher") { streams.reached.sequence == log.sequence }
        for index in readers.indices { try await check(index) }
        // Others leave after they have received everything.
        for index in readers.indices where dropping && Int.random(in: 0..<16, using: &random) == 0 {
            try await drop(index)
        }
    }

    /// Finds the positions of what the model has added.
    private mutating func readLog() async throws {
        var found: [Change] = []
        while let last = try await store.changes.changes(after: logged, limit: 500).last {
            found += try await store.changes.changes(after: logged, limit: 500)
            logged = last.sequence
        }
        let rows = found.filter { !StreamRouting.entries(for: $0.kind).isEmpty }
        let wanted = model.kinds(after: sequences.count)
        try #require(rows.map(\.kind) == wanted, "the log, seed \(seed), \(people.step)")
        sequences += rows.map(\.sequence)
    }

    private mutating func expect(_ index: Int, from start: Int) {
        let reader = readers[index]
        for (cause, text) in model.events(from: start, on: reader.stream, for: reader.viewer) {
            readers[index].expected.append(.init(sequence: sequences[cause], text: text))
        }
    }

    /// Waits until a connected reader has received what it must, and nothing else.
    private mutating func check(_ index: Int) async throws {
        let reader = readers[index]
        guard let client = reader.client, reader.checked < reader.expected.count else { return }
        do {
            _ = try await client.events(reader.expected.count)
        } catch {
            Issue.record("\(error): \(message(reader)), expected \(reader.expected)")
            throw error
        }
        try take(index)
        let complete = readers[index].checked == reader.expected.count
        try #require(complete, "\(message(reader)): received \(readers[index].checked) of \(reader.expected)")
    }

    /// Compares new events with the expected ones.
    private mutating func take(_ index: Int) throws {
        received += try readers[index].take(model, message(readers[index]))
    }

    /// Ends the connection of a reader, which may have received only some events.
    private mutating func drop(_ index: Int) async throws {
        guard let client = readers[index].client else { return }
        client.disconnect()
        try await client.closed()
        try take(index)
        readers[index].leave(epoch: store.database.log.epoch)
    }

    /// Connects all readers again; they receive what they have missed.
    private mutating func connect() async throws {
        let streams = world.streams
        let open = readers.count { $0.client != nil }
        try await Wait.until("the server to notice who has left") { streams.count == open }
        for index in readers.indices where readers[index].client == nil { try await connect(index) }
        let count = readers.count
        // Replays must not meet changes that the model does not know yet.
        try await Wait.until("the end of all replays") { streams.subscriptionCount == count }
        for index in readers.indices { try await check(index) }
    }

    private mutating func connect(_ index: Int) async throws {
        let reader = readers[index]
        let person = reader.viewer.map { people.all[$0] }
        readers[index].client =
            Bool.random(using: &random)
            ? try await world.open(reader.path(since: reader.since), as: person)
            : try await world.open(reader.path, as: person, since: reader.since)
        expect(index, from: sequences.firstIndex { $0 > reader.position } ?? sequences.count)
        replays += reader.last > 0 ? 1 : 0
    }
}
