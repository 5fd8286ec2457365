import Foundation
import Glibc
import HTTPTypes
import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct AvatarCacheTests {
    @Test func aPictureIsFetchedOnceAndThenComesFromMemory() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            let cache = try setting.open()
            let first = try await cache.image(at: setting.url("/a"))
            let second = try await cache.image(at: setting.url("/a#face"))
            #expect(first == AvatarImage(bytes: PictureServer.picture(), type: .png, source: .network))
            #expect(second == AvatarImage(bytes: PictureServer.picture(), type: .png, source: .memory))
            #expect(setting.server.requests("/a") == 1)
            #expect(!setting.server.hasSeenCredentials)
            let stats = await cache.stats()
            #expect(stats.count == 1 && stats.bytes == 300 && stats.memoryBytes == 300)
            #expect(stats.hits == 1 && stats.misses == 1 && stats.limit == 64 << 20)
            await cache.close()
        }
    }

    @Test func itComesFromDiskAfterReopening() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            let cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            await cache.close()
            let again = try setting.open()
            let image = try await again.image(at: setting.url("/a"))
            #expect(image.source == .disk && image.bytes == PictureServer.picture())
            #expect(setting.server.requests("/a") == 1)
            #expect(await again.stats().diskHits == 1)
            await again.close()
        }
    }

    @Test func theFolderIsForItsOwnerAlone() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            let cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            for path in [setting.folder.path] + setting.folder.files {
                var info = stat()
                let result = lstat(path, &info)
                #expect(result == 0 && info.st_mode & 0o077 == 0)
            }
            #expect(setting.folder.files.count == 1)
            await cache.close()
        }
    }

    @Test(arguments: [HTTPField.Name.eTag, HTTPField.Name.lastModified])
    func anOldPictureIsConfirmedWithoutSendingItAgain(_ validator: HTTPField.Name) async throws {
        try await AvatarSetting.run { setting in
            let value = validator == .eTag ? "\"1\"" : "Fri, 01 Dec 2023 06:39:55 GMT"
            setting.server.put("/a", PictureServer.picture(), [validator: value, .cacheControl: "max-age=60"])
            var cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            setting.advance(seconds: 61)
            #expect(try await cache.image(at: setting.url("/a")).source == .revalidated)
            #expect(try await cache.image(at: setting.url("/a")).source == .memory)
            await cache.close()
            cache = try setting.open()
            #expect(try await cache.image(at: setting.url("/a")).source == .disk)
            setting.advance(seconds: 61)
            await cache.close()
            cache = try setting.open()
            let image = try await cache.image(at: setting.url("/a"))
            #expect(image.source == .revalidated && image.bytes == PictureServer.picture())
            #expect(setting.server.statuses("/a") == [200, 304, 304])
            await cache.close()
        }
    }

    @Test func aChangedPictureReplacesTheOldOne() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a", PictureServer.picture(1), [.eTag: "\"1\"", .cacheControl: "max-age=60"])
            let cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            setting.server.put("/a", PictureServer.picture(2, size: 500), [.eTag: "\"2\""])
            setting.advance(seconds: 61)
            let image = try await cache.image(at: setting.url("/a"))
            #expect(image.source == .network && image.bytes == PictureServer.picture(2, size: 500))
            let stats = await cache.stats()
            #expect(stats.count == 1 && stats.bytes == 500 && setting.folder.bytes == 500)
            await cache.close()
        }
    }

    @Test func theSamePictureIsKeptOnceForAllItsAddresses() async throws {
        try await AvatarSetting.run { setting in
            let cache = try setting.open()
            for path in ["/a", "/b", "/c"] {
                setting.server.put(path)
                _ = try await cache.image(at: setting.url(path))
            }
            #expect(setting.folder.files.count == 1)
            setting.server.put("/a", PictureServer.picture(2))
            setting.advance(seconds: 86_401)
            _ = try await cache.image(at: setting.url("/a"))
            #expect(setting.folder.files.count == 2)
            #expect(await cache.stats().count == 2)
            await cache.close()
        }
    }
}
