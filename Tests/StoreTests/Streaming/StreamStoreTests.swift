import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite("The recipients of changes", .hangLimit) struct StreamStoreTests {
    /// Everybody who reads, of every kind of stream.
    private static func readers(_ accounts: [Account]) -> SubscribedAccounts {
        var readers = SubscribedAccounts()
        (readers.home, readers.listed, readers.direct) = (
            Set(accounts.map(\.id)), Set(accounts.map(\.id)), Set(accounts.map(\.id))
        )
        return readers
    }

    private static func recipients(
        _ world: FeedFixture, _ readers: SubscribedAccounts
    ) async throws -> [StreamRecipients] {
        let rows = try await world.store.changes.changes(after: world.start.sequence, limit: 1000)
        let found = try await world.store.streams.recipients(of: rows, among: readers)
        #expect(found.map(\.change) == rows)
        return found
    }

    @Test func publicStreamsHaveThePublicTimeline() async throws {
        let world = try await FeedFixture()
        let (ada, bob, cleo) = (world.ada, world.bob, world.cleo)
        try await world.store.mutes.mute(ada.id, by: cleo.id, Mute())
        let texts = [("open #Tag", Visibility.public), ("unlisted", .unlisted), ("followers", .followers)]
        for (text, visibility) in texts { try await world.store.post(text, by: ada, visibility) }
        let found = try await Self.recipients(world, Self.readers([ada, bob, cleo])).filter {
            $0.change.kind == .statusCreated
        }
        #expect(found.map(\.listed) == [[ada.id, bob.id], [], []])
        #expect(found.map { $0.subject?.isListed } == [true, false, false])
        #expect(found[0].subject?.tags == ["tag"] && found[0].subject?.hasMedia == false)
        #expect(found[0].events(on: .hashtag("tag"), for: bob.id) == [.update])
        #expect(found[0].events(on: .hashtag("tag"), for: cleo.id) == [])
        #expect(found[0].events(on: .public, for: nil) == [.update] && found[1].events(on: .public, for: nil) == [])
    }

    @Test func silencedAuthorsReachTheirFollowers() async throws {
        let world = try await FeedFixture()
        try await world.store.follows.follow(world.ada.id, by: world.bob.id)
        try await world.store.moderation.perform(.silence, on: world.ada.id)
        try await world.store.post("hello", by: world.ada)
        let found = try #require(
            try await Self.recipients(world, Self.readers([world.bob, world.cleo])).last {
                $0.change.kind == .statusCreated
            })
        #expect(found.listed == [world.bob.id] && found.subject?.isListed == false && found.home == [world.bob.id])
    }

    @Test func conversationsReachTheirParticipants() async throws {
        let world = try await FeedFixture()
        let (ada, bob, cleo) = (world.ada, world.bob, world.cleo)
        let first = try await world.store.post("@bob one", by: ada, .direct)
        let second = try await world.store.post("@ada two", by: bob, .direct, replyTo: first.id)
        _ = try await world.store.conversations.markRead(first.id, of: ada.id)
        let found = try await Self.recipients(world, Self.readers([ada, bob, cleo]))
        let created = found.filter { $0.change.kind == .statusCreated }
        // Only the newest status of a conversation is part of the entity.
        #expect(created.map(\.participants) == [[], [ada.id, bob.id]])
        let read = try #require(found.first { $0.change.kind == .conversationRead })
        #expect(read.change.subject == second.id && read.events(on: .direct, for: ada.id) == [.conversation])
        #expect(read.events(on: .direct, for: bob.id) == [])
        let shown = try await world.store.conversations.conversation(endingWith: second.id, of: ada.id)
        #expect(shown?.lastStatus?.id == second.id && shown?.isUnread == false)
        #expect(try await world.store.conversations.conversation(endingWith: second.id, of: cleo.id) == nil)
        #expect(try await world.store.conversations.conversation(endingWith: first.id, of: ada.id) == nil)
    }

    @Test func listStreamsReachTheListsOfTheMember() async throws {
        let world = try await FeedFixture()
        try await world.store.follows.follow(world.ada.id, by: world.bob.id)
        let (with, without) = (
            try await world.store.list("with", of: world.bob, [world.ada]),
            try await world.store.list("without", of: world.bob)
        )
        try await world.store.post("hello", by: world.ada)
        try await world.store.post("@bob direct", by: world.ada, .direct)
        var readers = SubscribedAccounts()
        readers.lists = [with.id: world.bob.id, without.id: world.bob.id]
        let found = try await Self.recipients(world, readers).filter { $0.change.kind == .statusCreated }
        #expect(found.map(\.lists) == [[with.id], []])
        #expect(found[0].events(on: .list(with.id), for: world.bob.id) == [.update])
    }

    /// Several changes of one status, and more readers than one query takes.
    @Test func manyReadersAndChangesAreSplit() async throws {
        let world = try await FeedFixture()
        let fans = try await world.store.database.commits.write { db in
            try (0..<2100).map { index -> Int64 in
                let id = try AccountStore.insert(
                    NewAccount(username: "user\(index)"), createdAt: 1, importID: 0, into: db)
                if index % 3 == 0 {
                    try db.execute(
                        """
                        INSERT INTO follow (follower_id, followee_id, created_at) VALUES (\(id), \(world.ada.id), 1)
                        """)
                }
                return id
            }
        }
        let status = try await world.store.post("hello", by: world.ada)
        for number in 0..<4 { try await world.edit(status, "edit \(number)") }
        let gone = try await world.store.post("gone", by: world.ada, .followers)
        _ = try await world.store.statuses.delete(id: gone.id, by: world.ada.id)
        var readers = SubscribedAccounts()
        readers.home = Set(fans)
        let found = try await Self.recipients(world, readers)
        let followers = Set(fans.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
        #expect(
            found.map(\.change.kind) == [.statusCreated] + Array(repeating: .statusEdited, count: 4) + [
                .statusCreated, .statusDeleted,
            ])
        for recipients in found.prefix(5) { #expect(recipients.home == followers) }
        #expect(found[5].home == [] && found[5].subject == nil)
        #expect(found[6].witnesses == followers)
    }

    @Test func nobodyReadsWithoutReaders() async throws {
        let world = try await FeedFixture()
        try await world.store.post("hello", by: world.ada)
        let found = try await Self.recipients(world, SubscribedAccounts())
        #expect(found.count == 1 && found[0].home.isEmpty && found[0].subject?.isListed == true)
        #expect(try await world.store.streams.recipients(of: [], among: SubscribedAccounts()) == [])
    }
}

/// The cost of finding the recipients of a status does not depend on the number of statuses and follows.
@Suite("The cost of recipients", .hangLimit, .onSQLite) struct StreamCostTests {
    private static let readers = 500
    /// In SQLite virtual machine steps; it takes about 150.
    private static let boundPerReader = 240

    @Test func costGrowsWithTheReadersOnly() async throws {
        let world = try await FeedFixture()
        let people = try await world.store.database.commits.write { db in
            let people = try (0..<3000).map { index in
                try AccountStore.insert(NewAccount(username: "user\(index)"), createdAt: 1, importID: 0, into: db)
            }
            for (index, id) in people.enumerated() {
                for followee in [world.ada.id, people[(index + 1) % 3000], people[(index + 7) % 3000]] {
                    try db.execute(
                        """
                        INSERT INTO follow (follower_id, followee_id, created_at) VALUES (\(id), \(followee), 1)
                        """)
                }
                try db.execute(
                    """
                    INSERT INTO status (id, account_id, created_at, visibility, text, content)
                    VALUES (\(index + 1), \(id), 0, 0, 'x', '<p>x</p>')
                    """)
            }
            return people
        }
        let status = try await world.store.post("hello #tag", by: world.ada)
        var readers = SubscribedAccounts()
        (readers.home, readers.listed) = (Set(people.prefix(Self.readers)), Set(people.prefix(Self.readers)))
        let query = RecipientQuery(statuses: [status.id], readers: readers, now: world.store.clock.now)
        let steps = try await world.store.database.read { db in
            try db.steps {
                let matches = try query.matches(in: db)
                #expect(matches.count == 2 * Self.readers)
            }
        }
        #expect(steps > 0 && steps < Self.readers * Self.boundPerReader, "\(steps / Self.readers) per reader")
    }
}
