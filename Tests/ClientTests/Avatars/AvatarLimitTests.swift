import HTTPTypes
import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct AvatarLimitTests {
    @Test func theDiskIsNeverFullerThanAllowed() async throws {
        try await AvatarSetting.run { setting in
            let cache = try setting.open { limits in
                limits.diskBytes = 10_000
                limits.memoryBytes = 3000
            }
            for index in 0..<60 {
                let size = index == 30 ? 9_999 : 100 + index * 733 % 4000
                setting.server.put("/\(index)", PictureServer.picture(UInt8(index), size: size))
                _ = try await cache.image(at: setting.url("/\(index)"))
                let stats = await cache.stats()
                #expect(setting.folder.bytes <= 10_000)
                #expect(stats.bytes == setting.folder.bytes && stats.count == setting.folder.files.count)
                #expect(stats.memoryBytes <= 3000)
            }
            setting.server.put("/large", PictureServer.picture(99, size: 10_001))
            #expect(try await cache.image(at: setting.url("/large")).bytes.count == 10_001)
            #expect(setting.folder.bytes <= 10_000 && setting.folder.bytes > 0)
            await cache.close()
            let smaller = try setting.open { $0.diskBytes = 2000 }
            #expect(setting.folder.bytes <= 2000)
            await smaller.close()
        }
    }

    @Test func whatWasUsedLongestAgoGoesFirst() async throws {
        try await AvatarSetting.run { setting in
            let ask: @Sendable (AvatarCache, String) async throws -> AvatarImage.Source = { cache, path in
                try await cache.image(at: setting.url(path)).source
            }
            for seed in UInt8(1)...4 { setting.server.put("/\(seed)", PictureServer.picture(seed, size: 1000)) }
            let cache = try setting.open { $0.diskBytes = 3000 }
            for path in ["/1", "/2", "/3", "/1", "/4"] { _ = try await ask(cache, path) }
            await cache.close()
            setting.advance(seconds: 1)
            let again = try setting.open { $0.diskBytes = 3000 }
            for path in ["/4", "/3", "/1"] { #expect(try await ask(again, path) == .disk) }
            #expect(try await ask(again, "/2") == .network)
            await again.close()
            setting.advance(seconds: 1)
            let third = try setting.open { $0.diskBytes = 3000 }
            for path in ["/1", "/2", "/3"] { #expect(try await ask(third, path) == .disk) }
            #expect(setting.server.requests("/4") == 1)
            await third.close()
        }
    }

    @Test(arguments: [true, false])
    func whatIsTooLargeIsRefused(isChunked: Bool) async throws {
        try await AvatarSetting.run { setting in
            var page = PictureServer.Page(bytes: PictureServer.picture(1, size: 6 << 20))
            page.isChunked = isChunked
            setting.server.put("/a", page)
            let cache = try setting.open()
            #expect(await refusal(cache, setting.url("/a")) == .failed)
            #expect(await cache.stats().count == 0)
            #expect(setting.folder.files.isEmpty)
            await cache.close()
        }
    }

    @Test func whatIsNoPictureIsRefused() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a", Array("<html><body>log in first".utf8), [.contentType: "image/png"])
            let cache = try setting.open()
            #expect(await refusal(cache, setting.url("/a")) == .failed)
            #expect(setting.folder.files.isEmpty)
            let stats = await cache.stats()
            #expect(stats.count == 0 && stats.failures == 1)
            await cache.close()
        }
    }

    @Test func whatMayNotBeKeptIsNotKept() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a", PictureServer.picture(), [.cacheControl: "no-store", .eTag: "\"1\""])
            let cache = try setting.open()
            for _ in 0..<2 { #expect(try await cache.image(at: setting.url("/a")).source == .network) }
            #expect(setting.server.statuses("/a") == [200, 200])
            #expect(setting.folder.files.isEmpty)
            #expect(await cache.stats().memoryBytes == 0)
            await cache.close()
        }
    }

    @Test(arguments: ["no-cache", "max-age=0"])
    func someAreAskedForEachTime(_ control: String) async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a", PictureServer.picture(), [.cacheControl: control, .eTag: "\"1\""])
            let cache = try setting.open()
            #expect(try await cache.image(at: setting.url("/a")).source == .network)
            for _ in 0..<2 { #expect(try await cache.image(at: setting.url("/a")).source == .revalidated) }
            #expect(setting.server.statuses("/a") == [200, 304, 304])
            await cache.close()
        }
    }
}
