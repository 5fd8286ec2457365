import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// The events that a client receives when it continues where it stopped.
@Suite(.hangLimit)
struct StreamReplayTests {
    @Test func missedEventsArriveOnceAndInOrder() async throws {
        try await StreamWorld.run { world in
            let first = try await world.open("/user", as: world.ada)
            let one = try await world.post("one", by: world.bob)
            let two = try await world.post("two", by: world.bob)
            let seen = try await first.events(2)
            #expect(EventStreamClient.summary(seen) == ["update \(one)", "update \(two)"])
            first.disconnect()
            let three = try await world.post("three", by: world.bob)
            let gone = try await world.post("gone", by: world.cleo)
            try await world.delete(gone, by: world.cleo)
            try await world.delete(one, by: world.bob)
            let second = try await world.open("/user", as: world.ada, since: seen[1].id)
            let four = try await world.post("four", by: world.bob)
            // The creation of a deleted status is skipped.
            let wanted = ["update \(three)", "delete \(gone)", "delete \(one)", "update \(four)"]
            #expect(try await second.summary(4) == wanted)
            // The position of each event leads to exactly the rest.
            for (number, event) in try await second.events(4).enumerated() {
                let rest = try await world.open("/user", as: world.ada, since: event.id)
                #expect(try await rest.summary(3 - number) == Array(wanted.dropFirst(number + 1)))
            }
        }
    }

    /// Nothing is lost or repeated between the replay and the live events, whatever happens meanwhile.
    @Test func replaysContinueWithLiveEvents() async throws {
        try await StreamWorld.run { world in
            let start = world.position
            var ids: [String] = []
            for number in 0..<150 { ids.append(try await world.post("before \(number)", by: world.bob)) }
            async let more = (0..<100).asyncMap { try await world.post("during \($0)", by: world.bob) }
            let streams = try await (0..<5).asyncMap { _ in
                try await world.open("/user?since=\(start)", as: world.ada)
            }
            ids += try await more
            for stream in streams {
                let found = try await stream.summary(ids.count)
                #expect(found == ids.map { "update \($0)" })
            }
        }
    }

    /// `Last-Event-ID` is newer than the address, which browsers keep.
    @Test func headerPrecedesTheQuery() async throws {
        try await StreamWorld.run { world in
            let start = world.position
            try await world.post("one", by: world.bob)
            let middle = world.position
            let two = try await world.post("two", by: world.bob)
            let stream = try await world.open("/user?since=\(start)", as: world.ada, since: middle)
            #expect(try await stream.summary(1) == ["update \(two)"])
            // A bare number belongs to the current epoch.
            let number = try #require(middle.split(separator: "-").last)
            let bare = try await world.open("/user?since=\(number)", as: world.ada)
            #expect(try await bare.summary(1) == ["update \(two)"])
        }
    }

    @Test func positionsThatCannotBeContinuedAreReportedOnce() async throws {
        try await StreamWorld.run { world in
            try await world.post("one", by: world.bob)
            for since in ["other-1", "\(world.position)000", "99999999999999999999"] {
                let stream = try await world.open("/user", as: world.ada, since: since)
                let first = try await stream.events(1)
                #expect(first.map(\.name) == ["resync"] && first[0].data == "{}", "\(since)")
                #expect(first[0].id == world.position, "\(since)")
                let next = try await world.post("next", by: world.bob)
                #expect(try await stream.summary(2).last == "update \(next)", "\(since)")
            }
        }
    }

    /// The current relationships decide, not those at the time of the event.
    @Test func replayFollowsTheCurrentRelationships() async throws {
        try await StreamWorld.run { world in
            let start = world.position
            try await world.post("from bob", by: world.bob)
            let cleo = try await world.post("from cleo", by: world.cleo)
            try await world.store.follows.unfollow(world.bob.account.id, by: world.ada.account.id)
            let stream = try await world.open("/user?since=\(start)", as: world.ada)
            #expect(try await stream.summary(1).first == "update \(cleo)")
        }
    }
}

extension Range<Int> {
    /// The results of calls that run one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Int) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await transform(number)) }
        return values
    }
}
