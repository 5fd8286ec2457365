import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct AvatarSharingTests {
    @Test func manyAskersShareOneRequest() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            setting.server.hold()
            let cache = try setting.open()
            let url = setting.url("/a")
            let tasks = (0..<20).map { _ in Task { try await cache.image(at: url) } }
            try await until { cache.loads.waiting(for: url) == 20 }
            setting.server.hold(false)
            for task in tasks { #expect(try await task.value.bytes == PictureServer.picture()) }
            #expect(setting.server.requests("/a") == 1)
            await cache.close()
        }
    }

    @Test func whoIsCancelledLeavesTheOthersAlone() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            setting.server.hold()
            let cache = try setting.open()
            let url = setting.url("/a")
            let tasks = (0..<2).map { _ in Task { try await cache.image(at: url) } }
            try await until { cache.loads.waiting(for: url) == 2 && setting.server.requests("/a") == 1 }
            tasks[0].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[0].value }
            setting.server.hold(false)
            #expect(try await tasks[1].value.source == .network)
            #expect(setting.server.requests("/a") == 1)
            await cache.close()
        }
    }

    @Test func whenAllAreCancelledALaterOneAsksAnew() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            setting.server.hold()
            let cache = try setting.open()
            let url = setting.url("/a")
            let tasks = (0..<2).map { _ in Task { try await cache.image(at: url) } }
            try await until { cache.loads.waiting(for: url) == 2 && setting.server.requests("/a") == 1 }
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(cache.loads.waiting(for: url) == 0)
            setting.server.hold(false)
            #expect(try await cache.image(at: url).bytes == PictureServer.picture())
            #expect(setting.server.requests("/a") == 2)
            await cache.close()
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
            try await until { paths.allSatisfy { cache.loads.waiting(for: setting.url($0)) == 1 } }
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
            try await until { cache.loads.waiting(for: url) == 1 }
            await cache.close()
            await #expect(throws: FeedClientError.self) { try await task.value }
            #expect(await refusal(cache, url) == .failed)
            setting.server.hold(false)
        }
    }
}
