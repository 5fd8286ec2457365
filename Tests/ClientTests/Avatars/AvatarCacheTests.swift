import Foundation
import Glibc
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct AvatarCacheTests {
    @Test func pictureIsFetchedOnceAndThenServedFromMemory() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            let cache = try fixture.open()
            let first = try await cache.image(at: fixture.url("/a"))
            let second = try await cache.image(at: fixture.url("/a#face"))
            #expect(first == AvatarImage(bytes: PictureServer.picture(), type: .png, source: .network))
            #expect(second == AvatarImage(bytes: PictureServer.picture(), type: .png, source: .memory))
            #expect(fixture.server.requests("/a") == 1)
            #expect(!fixture.server.hasSeenCredentials)
            let stats = await cache.stats()
            #expect(stats.count == 1 && stats.bytes == 300 && stats.memoryBytes == 300)
            #expect(stats.hits == 1 && stats.misses == 1 && stats.limit == 64 << 20)
            await cache.close()
        }
    }

    @Test func pictureIsServedFromDiskAfterReopening() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            let cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            await cache.close()
            let again = try fixture.open()
            let image = try await again.image(at: fixture.url("/a"))
            #expect(image.source == .disk && image.bytes == PictureServer.picture())
            #expect(fixture.server.requests("/a") == 1)
            #expect(await again.stats().diskHits == 1)
            await again.close()
        }
    }

    @Test func folderIsAccessibleOnlyToItsOwner() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            let cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            for path in [fixture.folder.path] + fixture.folder.files {
                var info = stat()
                let result = lstat(path, &info)
                #expect(result == 0 && info.st_mode & 0o077 == 0)
            }
            #expect(fixture.folder.files.count == 1)
            await cache.close()
        }
    }

    @Test(arguments: [HTTPField.Name.eTag, HTTPField.Name.lastModified])
    func stalePictureIsRevalidatedWithoutDownloadingItAgain(_ validator: HTTPField.Name) async throws {
        try await AvatarFixture.run { fixture in
            let value = validator == .eTag ? "\"1\"" : "Fri, 01 Dec 2023 06:39:55 GMT"
            fixture.server.put("/a", PictureServer.picture(), [validator: value, .cacheControl: "max-age=60"])
            var cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            fixture.advance(seconds: 61)
            #expect(try await cache.image(at: fixture.url("/a")).source == .revalidated)
            #expect(try await cache.image(at: fixture.url("/a")).source == .memory)
            await cache.close()
            cache = try fixture.open()
            #expect(try await cache.image(at: fixture.url("/a")).source == .disk)
            fixture.advance(seconds: 61)
            await cache.close()
            cache = try fixture.open()
            let image = try await cache.image(at: fixture.url("/a"))
            #expect(image.source == .revalidated && image.bytes == PictureServer.picture())
            #expect(fixture.server.statuses("/a") == [200, 304, 304])
            await cache.close()
        }
    }

    @Test func changedPictureReplacesTheOldOne() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a", PictureServer.picture(1), [.eTag: "\"1\"", .cacheControl: "max-age=60"])
            let cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            fixture.server.put("/a", PictureServer.picture(2, size: 500), [.eTag: "\"2\""])
            fixture.advance(seconds: 61)
            let image = try await cache.image(at: fixture.url("/a"))
            #expect(image.source == .network && image.bytes == PictureServer.picture(2, size: 500))
            let stats = await cache.stats()
            #expect(stats.count == 1 && stats.bytes == 500 && fixture.folder.bytes == 500)
            await cache.close()
        }
    }

    @Test func identicalPicturesShareOneFile() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try fixture.open()
            for path in ["/a", "/b", "/c"] {
                fixture.server.put(path)
                _ = try await cache.image(at: fixture.url(path))
            }
            #expect(fixture.folder.files.count == 1)
            fixture.server.put("/a", PictureServer.picture(2))
            fixture.advance(seconds: 86_401)
            _ = try await cache.image(at: fixture.url("/a"))
            #expect(fixture.folder.files.count == 2)
            #expect(await cache.stats().count == 2)
            await cache.close()
        }
    }
}
