import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// Callers that ask for the same picture and are cancelled at random moments.
@Suite(.hangLimit)
struct AvatarInterleavingTests {
    private static let rounds = 1000

    /// A caller who is not cancelled gets the picture, whoever else is cancelled; nothing is left behind.
    @Test func everyCallerThatIsNotCancelledGetsThePicture() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try fixture.open()
            var random = SplitMix64(seed: 19)
            for round in 0..<Self.rounds {
                let path = "/\(round)"
                fixture.server.put(path, PictureServer.picture(UInt8(round % 251), size: 16 + round % 64))
                try await Self.interleave(path, fixture, cache, &random)
            }
            #expect(await cache.stats().failures == 0)
            await cache.close()
        }
    }

    private static func interleave(
        _ path: String, _ fixture: AvatarFixture, _ cache: AvatarCache, _ random: inout SplitMix64
    ) async throws {
        let url = fixture.url(path)
        let count = Int.random(in: 1...6, using: &random)
        let cancelled = (0..<count).map { _ in Bool.random(using: &random) }
        var tasks: [Task<AvatarImage, any Error>] = []
        for isCancelled in cancelled {
            for _ in 0..<Int.random(in: 0...3, using: &random) { await Task.yield() }
            tasks.append(Task { try await cache.image(at: url) })
            if isCancelled, let victim = zip(tasks, cancelled).filter({ $0.1 }).randomElement(using: &random)?.0 {
                victim.cancel()
            }
        }
        for (task, isCancelled) in zip(tasks, cancelled) where isCancelled { task.cancel() }
        for (task, isCancelled) in zip(tasks, cancelled) {
            switch await task.result {
            case .success(let image): #expect(image.bytes.count >= 16)
            case .failure(let error): #expect(isCancelled && error is CancellationError, "\(path): \(error)")
            }
        }
        #expect(cache.loads.waiterCount(for: url) == 0)
        #expect(fixture.server.requests(path) <= count)
        // The picture is there if a caller has received it, and can be fetched otherwise. The server may still count
        // requests that were cancelled.
        let image = try await cache.image(at: url)
        #expect(cancelled.allSatisfy { $0 } || image.source == .memory)
    }
}
