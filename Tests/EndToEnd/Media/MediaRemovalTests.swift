import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

/// Deleted media and removed accounts free the space that they used.
@Suite(.hangLimit)
struct MediaRemovalTests {
    /// A recording of 700 kB, which is stored as it is.
    private static let recording = Data(MP3Sample.frames + (0..<1700).flatMap { _ in MP3Sample.frame })

    @Test func deletedMediaFreesTheQuota() async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        let first = try await server.media(Self.recording)
        let refused = try await server.upload(Self.recording)
        #expect(refused.status == 507 && refused.text.contains("\"error\""), "\(refused.text)")
        // Another account has a quota of its own.
        #expect(try await server.upload(Self.recording, as: server.eve).status == 200)
        let deleted = try await RawHTTP.send(
            port: server.port, "DELETE", "/api/v1/media/\(first.id)",
            headers: [FileServer.authorization(server.ada)])
        #expect(deleted.status == 200, "\(deleted.text)")
        try await Wait.until("the space is free") { try await server.upload(Self.recording).status == 200 }
    }

    @Test func removedAccountLeavesNoMedia() async throws {
        let server = try await FileServer.start()
        try await MediaBackupTests.fill(server)
        _ = try await server.media(SampleImages.png(333, 33), "never attached")
        // The same bytes, which stay.
        let hers = try await server.media(SampleImages.jpeg, as: server.eve)
        #expect(try await server.post("hers", [hers], as: server.eve).status == 200)
        let addresses = try await server.statuses().flatMap { $0.mediaAttachments.flatMap(\.addresses) }
        #expect(addresses.count == 6)
        let before = server.blobs()

        let removed = try await server.process.admin("account", "remove", "ada", "--yes")
        #expect(removed.code == 0, "\(removed.error)")
        try await server.process.waitForChanges()
        for address in addresses { #expect(try await server.fetch(address).status == 404, "\(address)") }
        let file = try DatabaseFile(data: server.process.data)
        let ada = "(SELECT id FROM account WHERE username = 'ada')"
        try await Wait.until("nothing of it is stored") {
            try file.number(
                """
                SELECT (SELECT count(*) FROM media WHERE account_id = \(ada))
                    + (SELECT count(*) FROM replaced_blob WHERE account_id = \(ada))
                    + (SELECT count(*) FROM account WHERE username = 'ada' AND (avatar <> '' OR header <> ''))
                """) == 0
        }
        for address in hers.addresses { #expect(try await server.fetch(address).status == 200, "\(address)") }
        _ = try await server.collect()
        let left = server.blobs()
        #expect(left.count == hers.addresses.count && left.isSubset(of: before))
        let check = try await server.process.admin("check")
        #expect(check.code == 0, "\(check.text)")
    }
}
