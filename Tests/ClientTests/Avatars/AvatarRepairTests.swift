import Foundation
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct AvatarRepairTests {
    @Test(arguments: [true, false])
    func damagedFileIsFetchedAgain(isShorter: Bool) async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            fixture.server.put("/b")
            var cache = try fixture.open()
            for path in ["/a", "/b"] { _ = try await cache.image(at: fixture.url(path)) }
            await cache.close()
            let file = try #require(fixture.folder.files.first)
            try fixture.folder.overwrite(file, PictureServer.picture(9, size: isShorter ? 100 : 300))
            // Both URLs share one file, which the first request repairs for the second.
            for expected in [[AvatarImage.Source.network, .disk], [.disk, .disk]] {
                cache = try fixture.open()
                for (path, source) in zip(["/a", "/b"], expected) {
                    let image = try await cache.image(at: fixture.url(path))
                    #expect(image.source == source && image.bytes == PictureServer.picture())
                }
                await cache.close()
            }
        }
    }

    @Test func missingFileIsFetchedAgain() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            var cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            await cache.close()
            cache = try fixture.open()
            for file in fixture.folder.files { try FileManager.default.removeItem(atPath: file) }
            #expect(try await cache.image(at: fixture.url("/a")).source == .network)
            await cache.close()
        }
    }

    @Test func unindexedFilesAreRemoved() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            var cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            await cache.close()
            let file = try #require(fixture.folder.files.first)
            try fixture.folder.overwrite(file + ".new-1-2", [1, 2, 3])
            try fixture.folder.overwrite(String(file.dropLast(1)) + (file.hasSuffix("0") ? "1" : "0"), [1, 2, 3])
            cache = try fixture.open()
            #expect(fixture.folder.files == [file])
            #expect(try await cache.image(at: fixture.url("/a")).source == .disk)
            await cache.close()
        }
    }

    @Test(arguments: [true, false])
    func damagedIndexIsRecreated(isOpen: Bool) async throws {
        try await AvatarFixture.run { fixture in
            for path in ["/a", "/b"] { fixture.server.put(path, PictureServer.picture(path == "/a" ? 1 : 2)) }
            var cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            if !isOpen { await cache.close() }
            try fixture.folder.overwrite(fixture.folder.index, [UInt8](repeating: 0x41, count: 20_000))
            if !isOpen { cache = try fixture.open() }
            #expect(try await cache.image(at: fixture.url("/b")).source == .network)
            await cache.close()
            cache = try fixture.open()
            #expect(try await cache.image(at: fixture.url("/b")).source == .disk)
            #expect(try await cache.image(at: fixture.url("/a")).source == .network)
            #expect(fixture.folder.files.count == 2)
            await cache.close()
        }
    }

    @Test func folderMayBeDeletedAtAnyTime() async throws {
        try await AvatarFixture.run { fixture in
            for seed in UInt8(1)...3 { fixture.server.put("/\(seed)", PictureServer.picture(seed)) }
            var cache = try fixture.open { $0.memoryBytes = 0 }
            _ = try await cache.image(at: fixture.url("/1"))
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            #expect(try await cache.image(at: fixture.url("/1")).source == .network)
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            #expect(try await cache.image(at: fixture.url("/2")).source == .network)
            #expect(try await cache.image(at: fixture.url("/2")).source == .disk)
            await cache.close()
            cache = try fixture.open()
            #expect(try await cache.image(at: fixture.url("/2")).source == .disk)
            #expect(try await cache.image(at: fixture.url("/1")).source == .network)
            try await cache.clear()
            #expect(fixture.folder.files.isEmpty)
            #expect(await cache.stats().count == 0)
            #expect(try await cache.image(at: fixture.url("/1")).source == .network)
            await cache.close()
        }
    }

    @Test func impossibleFolderIsADiskError() async throws {
        try await AvatarFixture.run { fixture in
            let error = #expect(throws: FeedClientError.self) {
                try AvatarCache(folder: "/dev/null/avatars", client: fixture.client)
            }
            #expect(error?.code == .disk)
        }
    }

    @Test func twoCachesMayShareAFolder() async throws {
        try await AvatarFixture.run { fixture in
            let caches = [try fixture.open(), try fixture.open()]
            for index in 0..<20 {
                fixture.server.put("/\(index)", PictureServer.picture(UInt8(index)))
                _ = try await caches[index % 2].image(at: fixture.url("/\(index)"))
            }
            for index in 0..<20 {
                #expect(try await caches[(index + 1) % 2].image(at: fixture.url("/\(index)")).source == .disk)
            }
            for cache in caches { await cache.close() }
        }
    }

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
