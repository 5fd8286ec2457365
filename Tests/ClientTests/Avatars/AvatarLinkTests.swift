import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Files of other programs are not changed, neither through links nor beside the pictures.
@Suite(.hangLimit)
struct AvatarLinkTests {
    private static let hash = String(repeating: "ab", count: 32)

    /// The error for a cache that cannot be opened.
    private static func refusal(_ fixture: AvatarFixture) -> FeedClientError? {
        #expect(throws: FeedClientError.self) { try fixture.open() }
    }

    private static func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private static func create(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Anything could be there, also what looks like pictures.
    @Test func linkedFolderOfPicturesIsNotChanged() async throws {
        let foreign = try ForeignFolder([
            "notes.txt", "photos/summer/1.jpg", "ab/letter.txt", "ab/\(Self.hash)", "ff/\(Self.hash).new-1-2",
        ])
        try await AvatarFixture.run { fixture in
            try Self.create(fixture.folder.path)
            try Self.link(fixture.folder.path + "/avatars", to: foreign.path)
            let error = Self.refusal(fixture)
            #expect(error?.code == .disk && error?.hint != nil)
            #expect(error?.message == fixture.folder.path + "/avatars is a symbolic link")
            #expect(foreign.changes == [])
        }
    }

    /// The link is planted where the picture would be stored.
    @Test func linkedPartOfTheFolderIsNotChanged() async throws {
        let name = AvatarFiles.name(of: PictureServer.picture())
        let foreign = try ForeignFolder([name, name + ".new-1-2", Self.hash, "notes.txt"])
        try await AvatarFixture.run { fixture in
            let avatars = fixture.folder.path + "/avatars/"
            try Self.create(avatars)
            try Self.link(avatars + name.prefix(2), to: foreign.path)
            for path in ["/a", "/b"] { fixture.server.put(path, PictureServer.picture(path == "/a" ? 1 : 2)) }
            let cache = try fixture.open()
            for path in ["/a", "/b"] { #expect(try await cache.image(at: fixture.url(path)).source == .network) }
            #expect(await cache.stats().count == 1)
            try await cache.clear()
            await cache.close()
            #expect(foreign.changes == [])
        }
    }

    @Test func linkPlantedWhileTheCacheIsOpenIsNotFollowed() async throws {
        let foreign = try ForeignFolder(["notes.txt", "ab/\(Self.hash)"])
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            let cache = try fixture.open()
            try? FileManager.default.removeItem(atPath: fixture.folder.path + "/avatars")
            try Self.link(fixture.folder.path + "/avatars", to: foreign.path)
            #expect(try await cache.image(at: fixture.url("/a")).source == .network)
            let error = await #expect(throws: FeedClientError.self) { try await cache.clear() }
            #expect(error?.code == .disk)
            await cache.close()
            #expect(foreign.changes == [])
        }
    }

    /// An empty file is one that SQLite would fill.
    @Test(arguments: ["avatars.sqlite", "avatars.sqlite-journal"])
    func linkedIndexIsNotChanged(_ name: String) async throws {
        let foreign = try ForeignFolder { try Data().write(to: URL(fileURLWithPath: $0 + "/places.sqlite")) }
        try await AvatarFixture.run { fixture in
            try Self.create(fixture.folder.path)
            try Self.link(fixture.folder.path + "/" + name, to: foreign.path("places.sqlite"))
            let error = Self.refusal(fixture)
            #expect(error?.code == .disk && error?.hint != nil)
            #expect(error?.message == fixture.folder.path + "/\(name) is a symbolic link")
            #expect(foreign.changes == [])
        }
    }

    @Test func onlyPicturesAndTheirTemporaryFilesAreRemoved() async throws {
        try await AvatarFixture.run { fixture in
            let avatars = fixture.folder.path + "/avatars"
            let others = [
                "notes.txt", "photos/1.jpg", "zz/\(Self.hash)", "abc/\(Self.hash)", "ab/letter.txt", "ab/\(Self.hash)x",
                "ab/\(Self.hash).txt", "ab/\(Self.hash).new-copy", "cd/ab/\(Self.hash)",
            ]
            let own = ["ab/\(Self.hash)", "ab/\(Self.hash).new-1-2", "ab/\(Self.hash).new-0a1b2c3d", "ef/\(Self.hash)"]
            for name in others + own { try ForeignFolder.write(name, below: avatars) }
            try await fixture.open().close()
            let all = try FileManager.default.subpathsOfDirectory(atPath: avatars)
            let files = all.filter { FileManager.default.contents(atPath: avatars + "/" + $0) == Data($0.utf8) }
            #expect(Set(files) == Set(others))
            #expect(!all.contains("ef"), "an empty folder of ours is removed")
        }
    }

    /// Many users keep their caches on another disk.
    @Test func cacheFolderMayBeALink() async throws {
        let real = try TemporaryFolder()
        try await AvatarFixture.run { fixture in
            try Self.link(fixture.folder.path, to: real.path)
            fixture.server.put("/a")
            for source in [AvatarImage.Source.network, .disk] {
                let cache = try fixture.open()
                #expect(try await cache.image(at: fixture.url("/a")).source == source)
                await cache.close()
            }
            let name = AvatarFiles.name(of: PictureServer.picture())
            #expect(FileManager.default.fileExists(atPath: real.path + "/avatars/\(name.prefix(2))/\(name)"))
        }
    }
}
