import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct AvatarLimitTests {
    @Test func diskLimitIsNeverExceeded() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try fixture.open { limits in
                limits.diskBytes = 10_000
                limits.memoryBytes = 3000
            }
            for index in 0..<60 {
                let size = index == 30 ? 9_999 : 100 + index * 733 % 4000
                fixture.server.put("/\(index)", PictureServer.picture(UInt8(index), size: size))
                _ = try await cache.image(at: fixture.url("/\(index)"))
                let stats = await cache.stats()
                #expect(fixture.folder.bytes <= 10_000)
                #expect(stats.bytes == fixture.folder.bytes && stats.count == fixture.folder.files.count)
                #expect(stats.memoryBytes <= 3000)
            }
            fixture.server.put("/large", PictureServer.picture(99, size: 10_001))
            #expect(try await cache.image(at: fixture.url("/large")).bytes.count == 10_001)
            #expect(fixture.folder.bytes <= 10_000 && fixture.folder.bytes > 0)
            await cache.close()
            let smaller = try fixture.open { $0.diskBytes = 2000 }
            #expect(fixture.folder.bytes <= 2000)
            await smaller.close()
        }
    }

    /// Those that were used meanwhile are kept.
    @Test func unusedPicturesAreRemoved() async throws {
        try await AvatarFixture.run { fixture in
            for seed in UInt8(1)...2 { fixture.server.put("/\(seed)", PictureServer.picture(seed, size: 1000)) }
            let cache = try fixture.open()
            for path in ["/1", "/2"] { _ = try await cache.image(at: fixture.url(path)) }
            await cache.close()
            fixture.advance(seconds: 3000)
            let again = try fixture.open { $0.unusedSeconds = 3600 }
            #expect(try await again.image(at: fixture.url("/1")).source == .disk)
            await again.close()
            fixture.advance(seconds: 3000)
            let third = try fixture.open { $0.unusedSeconds = 3600 }
            #expect(await third.stats().count == 1 && fixture.folder.files.count == 1)
            #expect(await third.cachedImage(at: fixture.url("/1")) != nil)
            await third.close()
        }
    }

    @Test func leastRecentlyUsedPictureIsEvictedFirst() async throws {
        try await AvatarFixture.run { fixture in
            let ask: @Sendable (AvatarCache, String) async throws -> AvatarImage.Source = { cache, path in
                try await cache.image(at: fixture.url(path)).source
            }
            for seed in UInt8(1)...4 { fixture.server.put("/\(seed)", PictureServer.picture(seed, size: 1000)) }
            let cache = try fixture.open { $0.diskBytes = 3000 }
            for path in ["/1", "/2", "/3", "/1", "/4"] { _ = try await ask(cache, path) }
            await cache.close()
            fixture.advance(seconds: 1)
            let again = try fixture.open { $0.diskBytes = 3000 }
            for path in ["/4", "/3", "/1"] { #expect(try await ask(again, path) == .disk) }
            #expect(try await ask(again, "/2") == .network)
            await again.close()
            fixture.advance(seconds: 1)
            let third = try fixture.open { $0.diskBytes = 3000 }
            for path in ["/1", "/2", "/3"] { #expect(try await ask(third, path) == .disk) }
            #expect(fixture.server.requests("/4") == 1)
            await third.close()
        }
    }

    @Test(arguments: [true, false])
    func oversizedPictureIsRejected(isChunked: Bool) async throws {
        try await AvatarFixture.run { fixture in
            var page = PictureServer.Page(bytes: PictureServer.picture(1, size: 6 << 20))
            page.isChunked = isChunked
            fixture.server.put("/a", page)
            let cache = try fixture.open()
            #expect(await refusal(cache, fixture.url("/a")) == .failed)
            #expect(await cache.stats().count == 0)
            #expect(fixture.folder.files.isEmpty)
            await cache.close()
        }
    }

    @Test func nonImageIsRejected() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a", Array("<html><body>log in first".utf8), [.contentType: "image/png"])
            let cache = try fixture.open()
            #expect(await refusal(cache, fixture.url("/a")) == .failed)
            #expect(fixture.folder.files.isEmpty)
            let stats = await cache.stats()
            #expect(stats.count == 0 && stats.failures == 1)
            await cache.close()
        }
    }

    @Test func noStoreResponseIsNotCached() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a", PictureServer.picture(), [.cacheControl: "no-store", .eTag: "\"1\""])
            let cache = try fixture.open()
            for _ in 0..<2 { #expect(try await cache.image(at: fixture.url("/a")).source == .network) }
            #expect(fixture.server.statuses("/a") == [200, 200])
            #expect(fixture.folder.files.isEmpty)
            #expect(await cache.stats().memoryBytes == 0)
            await cache.close()
        }
    }

    @Test(arguments: ["no-cache", "max-age=0"])
    func noCacheResponseIsRevalidatedEachTime(_ control: String) async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a", PictureServer.picture(), [.cacheControl: control, .eTag: "\"1\""])
            let cache = try fixture.open()
            #expect(try await cache.image(at: fixture.url("/a")).source == .network)
            for _ in 0..<2 { #expect(try await cache.image(at: fixture.url("/a")).source == .revalidated) }
            #expect(fixture.server.statuses("/a") == [200, 304, 304])
            await cache.close()
        }
    }
}
