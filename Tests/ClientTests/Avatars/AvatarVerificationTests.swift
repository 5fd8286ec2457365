import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// The pictures of a full cache, and those that were damaged on disk.
@Suite(.hangLimit)
struct AvatarVerificationTests {
    /// Stores `count` pictures, and opens the cache again.
    private static func filled(_ fixture: AvatarFixture, _ count: Int) async throws -> AvatarCache {
        let cache = try fixture.open()
        for index in 0..<count {
            fixture.server.put("/\(index)", PictureServer.picture(UInt8(index % 251), size: 100 + index))
            _ = try await cache.image(at: fixture.url("/\(index)"))
        }
        await cache.close()
        return try fixture.open()
    }

    @Test func warmCacheSendsNoRequest() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try await Self.filled(fixture, 1000)
            for index in 0..<1000 {
                let image = try await cache.image(at: fixture.url("/\(index)"))
                #expect(image.source == .disk && image.bytes.count == 100 + index)
            }
            #expect((0..<1000).allSatisfy { fixture.server.requests("/\($0)") == 1 })
            await cache.close()
        }
    }

    @Test func damagedPicturesAreRemoved() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try await Self.filled(fixture, 12)
            #expect(try await cache.verify() == 0)
            let files = fixture.folder.files
            try fixture.folder.overwrite(files[0], [1, 2, 3])
            try fixture.folder.overwrite(
                files[1], PictureServer.picture(250, size: FileManager.default.contents(atPath: files[1])?.count ?? 0))
            try FileManager.default.removeItem(atPath: files[2])
            #expect(try await cache.verify() == 3)
            #expect(await cache.stats().count == 9)
            #expect(try await cache.verify() == 0)
            for index in 0..<12 { _ = try await cache.image(at: fixture.url("/\(index)")) }
            #expect((0..<12).filter { fixture.server.requests("/\($0)") == 2 }.count == 3)
            await cache.close()
        }
    }
}
