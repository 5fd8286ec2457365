import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct AvatarSharingTests {
    /// Starts `count` concurrent requests for one picture, whose response the server holds back.
    private func asking(
        _ count: Int,
        _ test: @escaping @Sendable (AvatarSetting, AvatarCache, [Task<AvatarImage, any Error>]) async throws -> Void
    ) async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            setting.server.hold()
            let cache = try setting.open()
            let url = setting.url("/a")
            let tasks = (0..<count).map { _ in Task { try await cache.image(at: url) } }
            try await until { cache.loads.waiterCount(for: url) == count && setting.server.requests("/a") >= 1 }
            try await test(setting, cache, tasks)
            await cache.close()
        }
    }

    @Test func manyAskersShareOneRequest() async throws {
        try await asking(20) { setting, _, tasks in
            setting.server.hold(false)
            for task in tasks {
                let image = try await task.value
                #expect(image.bytes == PictureServer.picture())
            }
            #expect(setting.server.requests("/a") == 1)
        }
    }

    @Test func whoIsCancelledLeavesTheOthersAlone() async throws {
        try await asking(2) { setting, _, tasks in
            tasks[0].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[0].value }
            setting.server.hold(false)
            let image = try await tasks[1].value
            #expect(image.source == .network)
            #expect(setting.server.requests("/a") == 1)
        }
    }

    @Test func whenAllAreCancelledALaterOneAsksAnew() async throws {
        try await asking(2) { setting, cache, tasks in
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(cache.loads.waiterCount(for: setting.url("/a")) == 0)
            setting.server.hold(false)
            let image = try await cache.image(at: setting.url("/a"))
            #expect(image.bytes == PictureServer.picture())
            #expect(setting.server.requests("/a") == 2)
        }
    }

    @Test func atMostSixAreFetchedAtOnce() async throws {
        try await AvatarSetting.run { setting in
            setting.server.hold()
            let cache = try setting.open()
            let paths = (0..<12).map { "/\($0)" }
            for path in paths { setting.server.put(path) }
            let tasks = paths.map { path in Task { try await cache.image(at: setting.url(path)) } }
            try await until { setting.server.active == 6 }
            try await until { paths.allSatisfy { cache.loads.waiterCount(for: setting.url($0)) == 1 } }
            setting.server.hold(false)
            for task in tasks { #expect(try await task.value.source == .network) }
            #expect(setting.server.mostActive == 6)
            await cache.close()
        }
    }

    @Test func closingTellsThoseWhoWait() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            setting.server.hold()
            let cache = try setting.open()
            let url = setting.url("/a")
            let task = Task { try await cache.image(at: url) }
            try await until { cache.loads.waiterCount(for: url) == 1 }
            await cache.close()
            await #expect(throws: FeedClientError.self) { try await task.value }
            #expect(await refusal(cache, url) == .failed)
            setting.server.hold(false)
        }
    }
}
