import Foundation
import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct AvatarRepairTests {
    @Test(arguments: [true, false])
    func aDamagedFileIsFetchedAgain(isShorter: Bool) async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            setting.server.put("/b")
            var cache = try setting.open()
            for path in ["/a", "/b"] { _ = try await cache.image(at: setting.url(path)) }
            await cache.close()
            let file = try #require(setting.folder.files.first)
            try setting.folder.spoil(file, PictureServer.picture(9, size: isShorter ? 100 : 300))
            // Both URLs share one file, which the first request repairs for the second.
            for expected in [[AvatarImage.Source.network, .disk], [.disk, .disk]] {
                cache = try setting.open()
                for (path, source) in zip(["/a", "/b"], expected) {
                    let image = try await cache.image(at: setting.url(path))
                    #expect(image.source == source && image.bytes == PictureServer.picture())
                }
                await cache.close()
            }
        }
    }

    @Test func aMissingFileIsFetchedAgain() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            var cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            await cache.close()
            cache = try setting.open()
            for file in setting.folder.files { try FileManager.default.removeItem(atPath: file) }
            #expect(try await cache.image(at: setting.url("/a")).source == .network)
            await cache.close()
        }
    }

    @Test func whatNobodyCountsIsSweptAway() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            var cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            await cache.close()
            let file = try #require(setting.folder.files.first)
            try setting.folder.spoil(file + ".new-1-2", [1, 2, 3])
            try setting.folder.spoil(String(file.dropLast(1)) + "x", [1, 2, 3])
            cache = try setting.open()
            #expect(setting.folder.files == [file])
            #expect(try await cache.image(at: setting.url("/a")).source == .disk)
            await cache.close()
        }
    }

    @Test(arguments: [true, false])
    func aDamagedIndexStartsAnew(isOpen: Bool) async throws {
        try await AvatarSetting.run { setting in
            for path in ["/a", "/b"] { setting.server.put(path, PictureServer.picture(path == "/a" ? 1 : 2)) }
            var cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            if !isOpen { await cache.close() }
            try setting.folder.spoil(setting.folder.index, [UInt8](repeating: 0x41, count: 20_000))
            if !isOpen { cache = try setting.open() }
            #expect(try await cache.image(at: setting.url("/b")).source == .network)
            await cache.close()
            cache = try setting.open()
            #expect(try await cache.image(at: setting.url("/b")).source == .disk)
            #expect(try await cache.image(at: setting.url("/a")).source == .network)
            #expect(setting.folder.files.count == 2)
            await cache.close()
        }
    }

    @Test func theFolderMayBeDeletedAtAnyMoment() async throws {
        try await AvatarSetting.run { setting in
            for seed in UInt8(1)...3 { setting.server.put("/\(seed)", PictureServer.picture(seed)) }
            var cache = try setting.open { $0.memoryBytes = 0 }
            _ = try await cache.image(at: setting.url("/1"))
            try FileManager.default.removeItem(atPath: setting.folder.path)
            #expect(try await cache.image(at: setting.url("/1")).source == .network)
            try FileManager.default.removeItem(atPath: setting.folder.path)
            #expect(try await cache.image(at: setting.url("/2")).source == .network)
            #expect(try await cache.image(at: setting.url("/2")).source == .disk)
            await cache.close()
            cache = try setting.open()
            #expect(try await cache.image(at: setting.url("/2")).source == .disk)
            #expect(try await cache.image(at: setting.url("/1")).source == .network)
            try await cache.clear()
            #expect(setting.folder.files.isEmpty)
            #expect(await cache.stats().count == 0)
            #expect(try await cache.image(at: setting.url("/1")).source == .network)
            await cache.close()
        }
    }

    @Test func aFolderThatCannotBeIsAnErrorOfTheDisk() async throws {
        try await AvatarSetting.run { setting in
            let error = #expect(throws: FeedClientError.self) {
                try AvatarCache(folder: "/dev/null/avatars", client: setting.client)
            }
            #expect(error?.code == .disk)
        }
    }

    @Test func twoMayUseTheSameFolder() async throws {
        try await AvatarSetting.run { setting in
            let caches = [try setting.open(), try setting.open()]
            for index in 0..<20 {
                setting.server.put("/\(index)", PictureServer.picture(UInt8(index)))
                _ = try await caches[index % 2].image(at: setting.url("/\(index)"))
            }
            for index in 0..<20 {
                #expect(try await caches[(index + 1) % 2].image(at: setting.url("/\(index)")).source == .disk)
            }
            for cache in caches { await cache.close() }
        }
    }
}
