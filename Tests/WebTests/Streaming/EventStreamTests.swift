import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Streams as server-sent events, over real sockets.
@Suite(.hangLimit)
struct EventStreamTests {
    @Test func homeStreamReceivesItsEventsInOrder() async throws {
        try await StreamWorld.run { world in
            let stream = try await world.open("/user", as: world.ada)
            let head = try await stream.opened()
            #expect(head.headers["content-type"] == "text/event-stream; charset=utf-8")
            #expect(head.headers["cache-control"] == "no-store" && head.headers["x-accel-buffering"] == "no")
            #expect(head.headers["last-event-id"] == world.position && head.headers["x-request-id"] != nil)
            let one = try await world.post("one", by: world.bob)
            // Nobody follows dora, and a direct status reaches only the accounts that it mentions.
            let (dora, _) = try await world.test.account("dora")
            try await world.store.post("unknown", by: dora)
            try await world.post("for @cleo", by: world.bob, .direct)
            let two = try await world.post("two", by: world.cleo, .followers)
            try await world.delete(one, by: world.bob)
            let three = try await world.post("three", by: world.ada)
            let events = try await stream.events(4)
            #expect(
                EventStreamClient.summary(events) == [
                    "update \(one)", "update \(two)", "delete \(one)", "update \(three)",
                ])
            #expect(events[0].data.contains("\"favourited\":false") && events[0]["content"] == "<p>one</p>")
            let ids = events.compactMap(\.id)
            #expect(ids.count == 4 && ids.last == world.position)
            let read = EventStreamClient.readLineByLine(stream.text)
            #expect(read.map(\.name) == events.map(\.name) && read.map(\.data) == events.map(\.data))
        }
    }

    @Test func eventsOfAllKindsArrive() async throws {
        try await StreamWorld.run { world in
            let (user, notes) = (
                try await world.open("/user", as: world.ada), try await world.open("/user/notification", as: world.ada)
            )
            let direct = try await world.open("/direct", as: world.ada)
            let list = try await world.store.list("friends", of: world.ada.account, [world.cleo.account])
            let listed = try await world.open("/list?list=\(list.id)", as: world.ada)
            let tagged = try await world.open("/hashtag?tag=Bikes")
            let own = try await world.post("mine", by: world.ada)
            _ = try await world.store.statuses.set(
                .favourite, true, on: try #require(Int64(own)), by: world.bob.account.id)
            let message = try await world.post("psst @ada", by: world.bob, .direct)
            let bikes = try await world.post("#bikes", by: world.cleo)
            #expect(try await notes.events(2).map { $0["type"] } == ["favourite", "mention"])
            #expect(try await direct.events(1)[0].name == "conversation")
            #expect(try await direct.events(1)[0].data.contains("\"unread\":true"))
            #expect(try await listed.summary(1) == ["update \(bikes)"])
            #expect(try await tagged.summary(1) == ["update \(bikes)"])
            let all = try await user.events(5)
            #expect(all.map(\.name).sorted() == ["notification", "notification", "update", "update", "update"])
            #expect(
                all.filter { $0.name == "update" }.map { $0["id"] } == [own, message, bikes])
        }
    }

    /// Statuses are encoded once for all, except for what depends on the viewer.
    @Test func everybodyReceivesTheirOwnFields() async throws {
        try await StreamWorld.run { world in
            var draft = FilterDraft(title: "dull", contexts: [.home, .public])
            draft.keywords = [FilterDraft.Keyword(text: "tea", isWholeWord: false)]
            _ = try await world.store.filters.create(draft, by: world.cleo.account.id)
            let id = try #require(Int64(try await world.post("tea time", by: world.bob)))
            _ = try await world.store.statuses.set(.favourite, true, on: id, by: world.ada.account.id)
            let anonymous = try await world.open("/public")
            let (ada, bob, cleo) = (
                try await world.open("/public", as: world.ada), try await world.open("/public", as: world.bob),
                try await world.open("/public/local", as: world.cleo)
            )
            let boosted = try #require(Int64(try await world.post("more tea", by: world.bob)))
            for stream in [anonymous, ada, bob, cleo] { #expect(try await stream.summary(1) == ["update \(boosted)"]) }
            #expect(try await !anonymous.events(1)[0].data.contains("favourited"))
            #expect(try await !ada.events(1)[0].data.contains("pinned"))
            #expect(try await bob.events(1)[0].data.contains("\"pinned\":false"))
            #expect(try await ada.events(1)[0].data.contains("\"filtered\":[]"))
            #expect(try await cleo.events(1)[0].data.contains("\"keyword_matches\":[\"tea\"]"))
        }
    }

    @Test func publicStreamsFollowTheRulesOfTheirViewers() async throws {
        try await StreamWorld.run { world in
            let (open, ada) = (try await world.open("/public"), try await world.open("/public", as: world.ada))
            let remote = try await world.open("/public/remote")
            let media = try await world.open("/public?only_media=true")
            _ = try await world.store.mutes.mute(
                world.cleo.account.id, by: world.ada.account.id, Mute(hidesNotifications: true, expiresAt: nil))
            try await world.post("unlisted", by: world.bob, .unlisted)
            let muted = try await world.post("muted", by: world.cleo)
            let last = try await world.post("last", by: world.bob)
            #expect(try await open.summary(2) == ["update \(muted)", "update \(last)"])
            #expect(try await ada.summary(1) == ["update \(last)"])
            #expect(remote.events.isEmpty && media.events.isEmpty)
        }
    }

    /// One comment per interval, and one at the start.
    @Test func idleStreamsReceiveComments() async throws {
        try await StreamWorld.run(heartbeat: 30) { world in
            let stream = try await world.open("/public")
            try await Wait.until("comments") { stream.comments >= 4 }
            #expect(stream.events.isEmpty)
            #expect(world.streams.count == 1)
            stream.disconnect()
            try await Wait.until("the end of the stream") { world.streams.count == 0 }
        }
    }

    /// Clients that cannot read the head of the response continue without a gap, too.
    @Test func positionArrivesBeforeTheFirstEvent() async throws {
        try await StreamWorld.run { world in
            let start = world.position
            let stream = try await world.open("/user", as: world.ada)
            try await Wait.until("the position") { stream.lastEventID != nil }
            #expect(stream.lastEventID == start && stream.events.isEmpty)
            stream.disconnect()
            let missed = try await world.post("missed", by: world.bob)
            let next = try await world.open("/user", as: world.ada, since: stream.lastEventID)
            #expect(try await next.summary(1) == ["update \(missed)"])
        }
    }

    /// Changes that do not concern a client move its position, or it would be too old after some time.
    @Test func positionOfAQuietStreamAdvances() async throws {
        try await StreamWorld.run(heartbeat: 30) { world in
            let start = world.position
            let (fresh, continued) = (
                try await world.open("/user", as: world.ada),
                try await world.open("/user", as: world.ada, since: start)
            )
            let (dora, _) = try await world.test.account("dora")
            try await world.store.post("unknown", by: dora)
            for stream in [fresh, continued] {
                try await Wait.until("the position") { stream.lastEventID == world.position }
                #expect(stream.events.isEmpty)
            }
            let comments = fresh.comments
            try await Wait.until("more comments") { fresh.comments > comments + 2 }
            // Each position is sent once.
            #expect(Set(fresh.ids).count == fresh.ids.count)
        }
    }

    /// However many comments and events alternate: a client that continues at the last id misses and repeats nothing.
    @Test func positionsOnlyAdvance() async throws {
        try await StreamWorld.run(heartbeat: 15) { world in
            let start = world.position
            let stream = try await world.open("/user", as: world.ada)
            let replayed = try await world.open("/user", as: world.ada, since: start)
            for number in 0..<100 {
                try await world.post("seen \(number)", by: world.bob)
                try await world.post("unseen \(number)", by: world.bob, .direct)
            }
            for client in [stream, replayed] {
                _ = try await client.events(100)
                try await Wait.until("the position") { client.lastEventID == world.position }
                #expect(client.events.count == 100)
                let numbers = client.ids.compactMap { $0.split(separator: "-").last.flatMap { Int64($0) } }
                #expect(numbers.count == client.ids.count)
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
            }
        }
    }

    @Test func headOfAStreamIsNoStream() async throws {
        try await StreamWorld.run { world in
            let response = try await RawHTTP.send(port: world.port, "HEAD", "/api/v1/streaming/public")
            #expect(response.status == 200 && response.headers["content-type"]?.hasPrefix("text/event-stream") == true)
            #expect(world.streams.count == 0)
            let health = try await RawHTTP.send(port: world.port, "GET", "/api/v1/streaming/health")
            #expect(health.status == 200 && health.text == "OK")
        }
    }
}
