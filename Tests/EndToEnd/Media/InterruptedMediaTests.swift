import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// `kill -9` of the server during uploads and posts: a post has all of its media, or it does not exist.
@Suite(.hangLimit)
struct InterruptedMediaTests {
    private static let clients = 4
    private static let kills = 3

    /// The number of requests of the clients, and the posts that the server has acknowledged.
    private final class Ledger: Sendable {
        private struct State {
            var requests = 0
            var acknowledged: Set<String> = []
        }

        private let state = Mutex(State())

        var requests: Int { state.withLock { $0.requests } }
        var acknowledged: Set<String> { state.withLock { $0.acknowledged } }

        func count() { state.withLock { $0.requests += 1 } }
        func acknowledge(_ text: String) { state.withLock { _ = $0.acknowledged.insert(text) } }
    }

    @Test(arguments: (0..<UInt64(Soak.rounds(3, soaking: 60))).map { Soak.seed &+ $0 })
    func killedServerLeavesNothingHalfVisible(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let ledger = Ledger()
        var server = try await FileServer.start()
        for kill in 1...Self.kills {
            let target = ledger.requests + Int.random(in: 1...60, using: &random)
            try await Self.killed(server, seed: random.next(), name: "\(kill)", ledger) { ledger.requests >= target }
            server = try await server.restarted()
            try await Self.check(server, ledger)
        }
    }

    /// Runs the clients until the condition is true, and kills the server while they are waiting for responses.
    private static func killed(
        _ server: FileServer, seed: UInt64, name: String, _ ledger: Ledger, when isTime: () -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    var random = SplitMix64(seed: seed &+ UInt64(client))
                    var number = 0
                    // A request fails when the server has been killed.
                    while !Task.isCancelled,
                        (try? await work("post-\(name)-\(client)-\(number)", server, &random, ledger)) != nil
                    {
                        number += 1
                    }
                }
            }
            try await Wait.until("the clients are busy", isTime)
            try await server.process.stop(SIGKILL)
            try await group.waitForAll()
        }
    }

    /// Uploads, posts, and sometimes changes the profile.
    private static func work(
        _ name: String, _ server: FileServer, _ random: inout SplitMix64, _ ledger: Ledger
    ) async throws {
        let count = Int.random(in: 1...4, using: &random)
        let text = "\(name)-has-\(count)-end"
        var media: [ShownMedia] = []
        for number in 1...count {
            let version = Int.random(in: 1...2, using: &random)
            media.append(try await server.media(picture(&random), "\(number) of \(text)", version: version))
            ledger.count()
        }
        // Some uploads are never attached.
        if Int.random(in: 0..<5, using: &random) == 0 { return }
        _ = try FileServer.decode(try await server.post(text, media), as: ShownStatus.self)
        ledger.acknowledge(text)
        ledger.count()
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        let pictures = try await server.setPictures(avatar: picture(&random), header: picture(&random))
        _ = try FileServer.decode(pictures, as: ShownAccount.self)
        ledger.count()
    }

    /// One of some pictures, so that different uploads have the same content.
    private static func picture(_ random: inout SplitMix64) -> Data {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: SampleImages.gif
        case 1: SampleImages.jpeg
        default: SampleImages.png(Int.random(in: 1...40, using: &random) * 20, 300)
        }
    }

    private static func check(_ server: FileServer, _ ledger: Ledger) async throws {
        let statuses = try await server.statuses()
        var found: Set<String> = []
        for status in statuses {
            let match = try #require(status.content.firstMatch(of: /post-[\d-]+-has-(\d)-end/), "\(status.content)")
            #expect(found.insert(String(match.0)).inserted, "posted twice: \(match.0)")
            let wanted = (1...(Int(match.1) ?? 1)).map { "\($0) of \(match.0)" }
            #expect(status.mediaAttachments.map(\.description) == wanted, "\(match.0)")
        }
        #expect(ledger.acknowledged.isSubset(of: found))
        // Throws if one of them is not there.
        _ = try await server.pictures()
        let file = try DatabaseFile(data: server.process.data)
        #expect(try file.number("SELECT count(*) FROM media WHERE status_id IS NOT NULL AND blob IS NULL") == 0)
        _ = try await server.collect()
        // The last uploads may still be in progress.
        #expect(try await server.settled())
        let done = try await server.process.admin("check")
        #expect(done.code == 0, "\(done.text) \(done.error)")
    }
}
