import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore
@testable import FeedWeb

/// The number of queries for an event does not depend on the number of subscribers.
@Suite("The cost of an event", .hangLimit)
struct StreamCostTests {
    private typealias Person = (account: Account, token: String)

    private static func people(_ range: Range<Int>, _ world: StreamWorld) async throws -> [Person] {
        var people: [Person] = []
        for number in range { people.append(try await world.test.account("reader\(number)")) }
        return people
    }

    private static func streams(of people: [Person], _ world: StreamWorld) async throws -> [EventStreamClient] {
        var streams: [EventStreamClient] = []
        for person in people { streams.append(try await world.open("/public", as: person)) }
        return streams
    }

    private static func filter(_ word: String, of person: Person, _ world: StreamWorld) async throws {
        var draft = FilterDraft(title: word, contexts: [.public])
        draft.keywords = [.init(text: word)]
        _ = try await world.store.filters.create(draft, by: person.account.id)
    }

    /// Even if no filters are cached, as after any suspension.
    @Test func filtersAreReadTogether() async throws {
        let (store, engine) = try ObservedEngine.store()
        try await StreamWorld.run(store: store) { world in
            let people = try await Self.people(0..<20, world)
            for person in [people[0], people[15]] { try await Self.filter("hello", of: person, world) }
            var streams: [EventStreamClient] = []
            var counts: [Int] = []
            for part in [people[..<2], people[2...]] {
                streams += try await Self.streams(of: Array(part), world)
                try await store.changes.recordEmojiChange()
                let before = engine.statements
                let id = try await world.post("hello", by: world.bob)
                for stream in streams { try await stream.receives("update \(id)") }
                counts.append(engine.statements - before)
            }
            #expect(counts[0] == counts[1] && counts[0] > 0, "\(counts)")
            let matching = streams.indices.filter { number in
                streams[number].events.last?.data.contains(#""keyword_matches":["hello"]"#) ?? false
            }
            #expect(matching == [0, 15])
        }
    }

    private static func accounts(_ count: Int, _ store: TestStore) async throws -> [Int64] {
        try await store.database.commits.write { db in
            try (0..<count).map { number in
                try AccountStore.insert(
                    NewAccount(username: "reader\(number)"), createdAt: 1, importID: 0, into: db)
            }
        }
    }

    /// Subscriptions of accounts that share the connection of a real subscriber.
    private static func subscriptions(
        of accounts: [Int64], on real: StreamSubscriber, _ world: StreamWorld
    ) throws -> [StreamSubscription] {
        let selection = try StreamSelection(path: "public", RequestParameters())
        return accounts.map { id in
            var account = world.ada.account
            account.id = id
            let subscriber = StreamSubscriber(
                id: 0, caller: .holder(.account(FeedCore.Viewer(account: account, scopes: .all))), token: nil,
                base: real.base, transport: real.transport,
                owner: StreamLimiter.Owner(account: id, address: "127.0.0.1"), eventLoop: real.eventLoop,
                output: real.output)
            return StreamSubscription(subscriber: subscriber, selection: selection)
        }
    }

    /// More accounts than one query takes.
    @Test func manyFiltersAreReadInParts() async throws {
        let (store, engine) = try ObservedEngine.store()
        try await StreamWorld.run(store: store) { world in
            let stream = try await world.open("/public")
            let size = EventPayloads.accountsPerQuery
            let accounts = try await Self.accounts(2 * size + 2, store)
            let real = try #require(world.streams.subscribers().first)
            let subscriptions = try Self.subscriptions(of: accounts, on: real, world)
            var draft = FilterDraft(title: "last", contexts: [.public])
            draft.keywords = [.init(text: "hello")]
            _ = try await store.filters.create(draft, by: accounts[2 * size])
            let id = try #require(Int64(try await world.post("hello", by: world.bob)))
            // The publisher has queries of its own.
            try await Wait.until("the publisher") { world.streams.reached.sequence == world.services.log.sequence }
            let change = Change(sequence: 1, kind: .statusCreated, subject: id, account: world.bob.account.id, at: 0)
            let payloads = world.services.missedEvents.payloads
            // The first event also reads what all events share.
            _ = try await payloads.groups(of: .update, change, for: subscriptions.suffix(1))
            var counts: [Int] = []
            for count in [1, size, size + 1, 2 * size + 1, 2 * size + 1] {
                let before = engine.statements
                let groups = try await payloads.groups(of: .update, change, for: Array(subscriptions.prefix(count)))
                counts.append(engine.statements - before)
                // The last account has a payload of its own.
                #expect(groups.map(\.subscriptions.count).sorted() == (count > 2 * size ? [1, count - 1] : [count]))
            }
            // One query for the filters of accounts that are not cached. The last one has keywords, too.
            let known = counts[4]
            #expect(counts.map { $0 - known } == [1, 1, 1, 4, 0], "\(counts)")
            stream.disconnect()
        }
    }

    /// They are committed together, so the publisher reads them together; a check of all tokens divides them.
    @Test func manyChangesArriveInOrder() async throws {
        let (store, engine) = try ObservedEngine.store()
        try await StreamWorld.run(store: store) { world in
            var ids: [Int64] = []
            for number in 0..<60 {
                ids.append(try #require(Int64(try await world.post("number \(number)", by: world.bob))))
            }
            let streams = [try await world.open("/public"), try await world.open("/user", as: world.ada)]
            let author = world.bob.account.id
            var costs: [Int] = []
            for part in [ids[..<1], ids[1...]] {
                let before = engine.statements
                try await store.database.commits.write { db in
                    for (number, id) in part.enumerated() {
                        if number == 20 { try db.log(.imported, at: 1) }
                        try db.log(.statusEdited, subject: id, account: author, at: 1)
                    }
                }
                let last = part[part.endIndex - 1]
                for stream in streams { try await stream.receives("status.update \(last)") }
                costs.append(engine.statements - before)
            }
            for stream in streams {
                #expect(EventStreamClient.summary(stream.events) == ids.map { "status.update \($0)" })
            }
            #expect(costs[1] < costs[0] * (ids.count - 1), "\(costs)")
        }
    }

    /// An import concerns every account, so all tokens are checked.
    @Test func tokensAreCheckedTogether() async throws {
        let (store, engine) = try ObservedEngine.store()
        try await StreamWorld.run(store: store) { world in
            let people = try await Self.people(0..<20, world)
            var streams: [EventStreamClient] = []
            var counts: [Int] = []
            for part in [people[..<2], people[2...]] {
                streams += try await Self.streams(of: Array(part), world)
                let id = try await world.post("hello", by: world.bob)
                for stream in streams { try await stream.receives("update \(id)") }
                let before = engine.statements
                try await store.database.commits.write { try $0.log(.imported, at: 1) }
                try await world.delete(id, by: world.bob)
                for stream in streams { try await stream.receives("delete \(id)") }
                counts.append(engine.statements - before)
            }
            #expect(counts[0] == counts[1] && counts[0] > 0, "\(counts)")
        }
    }

    @Test func importEndsTheStreamsOfUnknownTokens() async throws {
        try await StreamWorld.run { world in
            let (ada, bob) = (
                try await world.open("/public", as: world.ada), try await world.open("/public", as: world.bob)
            )
            let account = world.ada.account.id
            // Without a row of the change log.
            try await world.store.database.commits.write { db in
                try db.execute("DELETE FROM token WHERE account_id = \(account)")
            }
            try await world.store.importLines(#"{"kind":"account","username":"new"}"#)
            try await ada.closed()
            #expect(ada.events.last?["reason"] == "unauthorized")
            let id = try await world.post("still here", by: world.bob)
            #expect(try await bob.summary(1) == ["update \(id)"])
        }
    }
}

extension EventStreamClient {
    /// Waits for an event.
    fileprivate func receives(_ event: String) async throws {
        try await Wait.until("\(event) in \(text.suffix(500))") { Self.summary(events).contains(event) || isClosed }
    }
}
