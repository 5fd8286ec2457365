import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver account avatar NAME FILE`.
@Suite(.hangLimit)
struct AvatarCommandTests {
    private static func avatar(_ server: FileServer) async throws -> Data {
        let response = try await server.fetch(try await server.profile().avatar)
        try #require(response.status == 200)
        return response.body
    }

    private static func write(_ content: Data, _ name: String, in folder: TemporaryFolder) throws -> String {
        let path = try folder.file(name)
        try content.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func limitsOfTheCacheCanBeChosen() async throws {
        let home = try ClientHome()
        let chosen = try await home.run("cache", "stats", "--json", "--cache-size", "1MiB", "--cache-age", "30d")
        #expect(try chosen.object()["limit"] as? Int == 1 << 20)
        let variables = ["FEEDCLIENT_CACHE_SIZE": "2MiB", "FEEDCLIENT_CACHE_AGE": "12h"]
        let usual = try await home.run("cache", "stats", "--json", environment: variables)
        #expect(try usual.object()["limit"] as? Int == 2 << 20)
        let wrong = try await home.run("cache", "stats", environment: ["FEEDCLIENT_CACHE_AGE": "soon"])
        #expect(wrong.code == 2 && wrong.error.contains("FEEDCLIENT_CACHE_AGE"), "\(wrong.error)")
    }

    @Test func avatarIsSetWithoutMetadataAndRemoved() async throws {
        let (server, folder) = (try await FileServer.start(), try TemporaryFolder())
        let generated = try await Self.avatar(server)
        let picture = SampleImages.png(48, 48)
        let path = try Self.write(picture + Data("SECRET".utf8), "a picture.png", in: folder)
        // The name may be a link, and have any case.
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let done = try await server.process.admin("account", "avatar", "Ada", link)
        #expect(done.code == 0 && done.error == "set ada's avatar\n", "\(done.error)")
        try await server.process.waitForChanges()
        #expect(try await Self.avatar(server) == picture)
        let removed = try await server.process.admin("account", "avatar", "ada")
        #expect(removed.code == 0 && removed.error == "removed ada's avatar\n", "\(removed.error)")
        try await server.process.waitForChanges()
        #expect(try await Self.avatar(server) == generated)
        _ = try await server.collect()
        try await Wait.until("the picture is collected") { server.blobs().isEmpty }
    }

    /// A picture that an older version has stored gets its still image when the server starts.
    @Test func animatedAvatarHasAStillImage() async throws {
        let folder = try TemporaryFolder()
        let first = try await FileServer.start()
        let path = try Self.write(SampleImages.animation, "a.gif", in: folder)
        let done = try await first.process.admin("account", "avatar", "ada", path)
        #expect(done.code == 0, "\(done.error)")
        try await first.process.waitForChanges()
        let profile = try await first.profile()
        let still = try await first.fetch(profile.avatarStatic)
        #expect(try await Self.avatar(first) == SampleImages.storedAnimation)
        #expect(still.body.starts(with: [0x89, 0x50, 0x4E, 0x47]) || still.body.starts(with: [0xFF, 0xD8]))
        #expect(profile.headerStatic == profile.header)
        _ = try await first.collect()
        #expect(first.blobs().count == 2)
        try await first.process.stop()
        try DatabaseFile.execute("UPDATE account SET avatar_static = NULL", data: first.process.data)
        let second = try await first.restarted()
        try await Wait.until("the still image has been made") {
            let found = try await second.profile()
            return found.avatarStatic != found.avatar
        }
        let again = try await second.fetch(try await second.profile().avatarStatic)
        #expect(
            again.headers["content-type"]?.hasPrefix("image/") == true && again.headers["content-type"] != "image/gif")
        _ = try await second.collect()
        #expect(try await Self.avatar(second) == SampleImages.storedAnimation)
        let check = try await second.process.admin("check")
        #expect(check.code == 0, "\(check.text)")
    }

    @Test func unusableFilesAreRefusedAndChangeNothing() async throws {
        let (server, folder) = (try await FileServer.start(), try TemporaryFolder())
        let good = try Self.write(SampleImages.png(48, 48), "good.png", in: folder)
        #expect(try await server.process.admin("account", "avatar", "ada", good).code == 0)
        let pipe = folder.path + "/pipe.png"
        try #require(mkfifo(pipe, 0o600) == 0)
        var unusable = [folder.path, pipe, folder.path + "/missing.png", "/dev/zero"]
        for (name, content) in [
            ("text.png", Data("this is no picture".utf8)), ("empty.png", Data()),
            ("cut.png", SampleImages.png(48, 48).prefix(60)),
            ("wide.png", BlackPNG(width: 50_000, height: 50_000, colorType: 0).head),
            ("drawing.svg", Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
            ("sound.mp3", Data("ID3".utf8) + Data(count: 5000)),
        ] {
            unusable.append(try Self.write(content, name, in: folder))
        }
        for path in unusable {
            let done = try await server.process.admin("account", "avatar", "ada", path)
            let lines = done.error.split(separator: "\n")
            #expect(done.code == 1 && done.text.isEmpty, "\(path): \(done.code)")
            #expect(lines.first?.hasPrefix("error: ") == true && lines.count <= 2, "\(path): \(done.error)")
            #expect(!done.error.contains("MP4"), "an avatar is an image: \(done.error)")
        }
        let unknown = try await server.process.admin("account", "avatar", "nobody", good)
        #expect(unknown.code == 1 && unknown.error.contains("nobody"), "\(unknown.error)")
        #expect(try await Self.avatar(server) == SampleImages.png(48, 48))
        _ = try await server.collect()
        #expect(server.blobs() == [Checksum.sha256(SampleImages.png(48, 48))])
        #expect(server.unfinished().isEmpty)
    }
}
