import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Backups, restores and checks of a feed with media. Its copies between engines are in `CopyTests`.
@Suite(.hangLimit)
struct MediaBackupTests {
    @Test func restoredFeedShowsTheSameMedia() async throws {
        let fixture = try await BackupFixture.start()
        let server = fixture.server
        try await Self.fill(server)
        let (statuses, pictures) = (try await server.statuses(), try await server.pictures())
        #expect(statuses.map(\.mediaAttachments.count) == [1, 2] && pictures.count >= 5)
        // Uploaded, but not attached yet.
        let unattached = try await server.media(SampleImages.png(40, 40), "later")
        let done = try await fixture.backUp()
        #expect(done.code == 0, "\(done.error)")

        let target = try TemporaryFolder()
        _ = try await fixture.restore(into: target)
        // The server may still have to collect a blob that nothing refers to.
        let blobs = FileServer.blobs(in: target.path + "/data")
        #expect(blobs.isSubset(of: FileServer.blobs(in: server.process.data)))
        let check = try await Tool.run(Programs.feedserver, ["check", "--data", target.path + "/data"])
        #expect(check.code == 0, "\(check.text) \(check.error)")
        let process = try await ServerProcess.start(folder: target)
        let restored = server.moved(to: process)
        #expect(try await restored.pictures() == pictures)
        #expect(try await restored.statuses().map(\.content) == statuses.map(\.content))
        let posted = try await restored.post("late", [unattached])
        #expect(try FileServer.decode(posted, as: ShownStatus.self).mediaAttachments.map(\.description) == ["later"])
    }

    /// Two pictures, a GIF, an animated avatar and a header.
    static func fill(_ server: FileServer) async throws {
        var media: [ShownMedia] = []
        for (number, picture) in [SampleImages.jpeg, SampleImages.png(900, 500)].enumerated() {
            media.append(try await server.media(picture, "picture \(number)"))
        }
        #expect(try await server.post("two", media).status == 200)
        #expect(try await server.post("one", [try await server.media(SampleImages.gif)]).status == 200)
        let pictures = try await server.setPictures(
            avatar: SampleImages.animation, header: SampleImages.png(300, 100))
        #expect(pictures.status == 200, "\(pictures.text)")
    }

    /// `check` names what is missing: an attachment, a thumbnail, an avatar, a header.
    @Test func checkNamesMissingMedia() async throws {
        let server = try await FileServer.start()
        try await Self.fill(server)
        let file = try DatabaseFile(data: server.process.data)
        let healthy = try await server.process.admin("check")
        #expect(healthy.code == 0, "\(healthy.text)")
        let data = server.process.data
        for hash in server.blobs() {
            try FileManager.default.removeItem(atPath: BackupFixture.blob(hash, in: data))
        }
        let found = try await server.process.admin("check")
        #expect(found.code == 1)
        let missing = found.text.split(separator: "\n").filter { $0.hasSuffix("is missing") }
        #expect(missing.count == (try file.number(Self.referenced)), "\(found.text)")
        #expect(missing.contains { $0.hasPrefix("problem: @ada: its content ") }, "\(found.text)")
        #expect(missing.contains { $0.hasPrefix("problem: media ") }, "\(found.text)")
    }

    private static let referenced = """
        SELECT count(*) FROM (SELECT avatar FROM account WHERE avatar IS NOT NULL
            UNION SELECT header FROM account WHERE header IS NOT NULL
            UNION SELECT avatar_static FROM account WHERE avatar_static IS NOT NULL
            UNION SELECT header_static FROM account WHERE header_static IS NOT NULL
            UNION SELECT blob FROM media WHERE blob IS NOT NULL
            UNION SELECT thumbnail FROM media WHERE thumbnail IS NOT NULL)
        """
}
