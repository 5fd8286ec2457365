import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// Random failures and kills: a post never appears twice, and is never lost.
@Suite(.hangLimit)
struct OutboxWalkTests {
    private static let longestPause: Int64 = 40 * 60_000

    /// - Returns: The client at the end of the walk.
    private static func walk(_ random: inout SplitMix64, _ seed: UInt64) -> OutboxModelClient {
        let server = OutboxModelServer(honorsKeys: .random(using: &random), isRecognizable: .random(using: &random))
        var client = OutboxModelClient(server)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let trigger = trigger(client, &random)
            client.run(trigger, &random)
            check(client, seed)
            client.now += Int64.random(in: 0...longestPause, using: &random) >> Int64.random(in: 0...20, using: &random)
        }
        return client
    }

    /// A user who sends an unclear post has looked at the server.
    private static func trigger(_ client: OutboxModelClient, _ random: inout SplitMix64) -> OutboxTrigger {
        let isSafe = client.server.posts == 0 && !client.server.hasDelayed
        return [.automatic, .flush, isSafe ? .resend : .automatic].randomElement(using: &random) ?? .automatic
    }

    private static func check(_ client: OutboxModelClient, _ seed: UInt64) {
        let (posts, isDelayed) = (client.server.posts, client.server.hasDelayed)
        #expect(posts <= 1, "posted twice, seed \(seed)")
        switch client.stored {
        case nil: #expect(posts == 1, "lost, seed \(seed)")
        case .new, .refused: #expect(posts == 0 && !isDelayed, "forgotten, seed \(seed)")
        case .sending, .unclear: break
        }
    }

    @Test func postAppearsOnceWhateverHappens() {
        var random = SplitMix64(seed: Soak.seed)
        var (delivered, unclear) = (0, 0)
        for _ in 0..<Soak.rounds(5000, soaking: 2_000_000) {
            let seed = random.next()
            var walk = SplitMix64(seed: seed)
            var client = Self.walk(&walk, seed)
            // Everything works again, and late requests have arrived.
            client.now += OutboxModelServer.longestDelay
            client.risk = 0
            for _ in 0..<3 { client.run(.automatic, &walk) }
            Self.check(client, seed)
            switch client.stored {
            case nil: delivered += 1
            case .unclear: unclear += 1
            case .refused: break
            case .new, .sending: Issue.record("not sent although everything works, seed \(seed)")
            }
        }
        #expect(delivered > 0 && unclear > 0)
    }
}
