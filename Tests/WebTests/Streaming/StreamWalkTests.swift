import FeedCore
import FeedTestSupport
import TestKit
import Testing

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
