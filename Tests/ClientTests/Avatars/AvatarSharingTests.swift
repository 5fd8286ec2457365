import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct AvatarSharingTests {
    /// Starts `count` concurrent requests for one picture, whose response the server holds back.
    private func asking(
        _ count: Int,
        _ test: @escaping @Sendable (AvatarFixture, AvatarCache, [Task<AvatarImage, any Error>]) async throws -> Void
    ) async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            fixture.server.hold()
            let cache = try fixture.open()
            let url = fixture.url("/a")
            let tasks = (0..<count).map { _ in Task { try await cache.image(at: url) } }
            try await until { cache.loads.waiterCount(for: url) == count && fixture.server.requests("/a") >= 1 }
            try await test(fixture, cache, tasks)
            await cache.close()
        }
    }

    @Test func concurrentCallersShareOneRequest() async throws {
        try await asking(20) { fixture, _, tasks in
            fixture.server.hold(false)
            for task in tasks {
                let image = try await task.value
                #expect(image.bytes == PictureServer.picture())
            }
            #expect(fixture.server.requests("/a") == 1)
        }
    }

    @Test func cancellingOneCallerDoesNotAffectTheOthers() async throws {
        try await asking(2) { fixture, _, tasks in
            tasks[0].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[0].value }
            fixture.server.hold(false)
            let image = try await tasks[1].value
            #expect(image.source == .network)
            #expect(fixture.server.requests("/a") == 1)
        }
    }

    @Test func laterCallerSendsANewRequestAfterAllWereCancelled() async throws {
        try await asking(2) { fixture, cache, tasks in
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(cache.loads.waiterCount(for: fixture.url("/a")) == 0)
            fixture.server.hold(false)
            let image = try await cache.image(at: fixture.url("/a"))
            #expect(image.bytes == PictureServer.picture())
            #expect(fixture.server.requests("/a") == 2)
        }
    }

    @Test func atMostSixPicturesOfAHostAreFetchedAtOnce() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.hold()
            let cache = try fixture.open()
            let paths = (0..<12).map { "/\($0)" }
            for path in paths { fixture.server.put(path) }
            let tasks = paths.map { path in Task { try await cache.image(at: fixture.url(path)) } }
            try await until { fixture.server.active == 6 }
            try await until { paths.allSatisfy { cache.loads.waiterCount(for: fixture.url($0)) == 1 } }
            fixture.server.hold(false)
            for task in tasks { #expect(try await task.value.source == .network) }
            #expect(fixture.server.peakActive == 6)
            await cache.close()
        }
    }

    @Test func slowHostDoesNotDelayOthers() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.hold()
            let cache = try fixture.open()
            let other = fixture.address.replacing("127.0.0.1", with: "localhost")
            let urls = (0..<12).flatMap { ["\(fixture.address)/\($0)", "\(other)/\($0)"] }
            for index in 0..<12 { fixture.server.put("/\(index)") }
            let tasks = urls.map { url in Task { try await cache.image(at: url) } }
            try await until { fixture.server.active == 12 }
            try await until { urls.allSatisfy { cache.loads.waiterCount(for: $0) == 1 } }
            fixture.server.hold(false)
            for task in tasks { #expect(try await task.value.source == .network) }
            #expect(fixture.server.peakActive == 12)
            await cache.close()
        }
    }

    @Test func closingFailsPendingRequests() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            fixture.server.hold()
            let cache = try fixture.open()
            let url = fixture.url("/a")
            let task = Task { try await cache.image(at: url) }
            try await until { cache.loads.waiterCount(for: url) == 1 }
            await cache.close()
            await #expect(throws: FeedClientError.self) { try await task.value }
            #expect(await refusal(cache, url) == .failed)
            fixture.server.hold(false)
        }
    }

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
