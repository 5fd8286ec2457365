import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// In the folder of the outbox, only posts are written and removed, and links are not followed.
@Suite(.hangLimit)
struct OutboxFolderTests {
    private static let account = OutboxAccount(server: "http://a.test", username: "ada")
    private static let post = OutboxPost(draft: Draft(text: "one"))
    /// A time at which all temporary files are abandoned.
    private static let past = Date(timeIntervalSince1970: 1_000_000_000)

    private let folder: TemporaryFolder
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder()
        outbox = Outbox(folder: folder.path)
    }

    private static func age(_ path: String) throws {
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
    }

    @Test func linkedFolderIsNotChanged() async throws {
        let temporary = "abcdef.post.new-1-2"
        let foreign = try ForeignFolder { path in
            for name in ["notes.txt", "abcdef.post", temporary] { try ForeignFolder.write(name, below: path) }
            try Self.age(path + "/" + temporary)
        }
        try FileManager.default.createSymbolicLink(atPath: outbox.folder, withDestinationPath: foreign.path)
        let errors = [
            await #expect(throws: FeedClientError.self) { try await outbox.add(Self.post, for: Self.account) },
            await #expect(throws: FeedClientError.self) { try await outbox.contents() },
            await #expect(throws: FeedClientError.self) { try await outbox.claim("abcdef") },
        ]
        for error in errors {
            #expect(error?.code == .disk && error?.hint != nil)
            #expect(error?.message == outbox.folder + " is a symbolic link")
        }
        #expect(foreign.changes == [])
    }

    @Test func onlyAbandonedTemporaryFilesOfPostsAreRemoved() async throws {
        let others = [
            "notes.post.new-1-2", "abcdef.post.new-copy", "abcdef.posts.new-1", "my abcdef.post.new-1",
            "abcdef.post.new-1.txt", "abcdef.json.new-1", "abcdef.post.new",
        ]
        let abandoned = ["abcdef.post.new-1234-567", "abcdef.post.new-0a1b2c3d"]
        for name in others + abandoned {
            try ForeignFolder.write(name, below: outbox.folder)
            try Self.age(outbox.folder + "/" + name)
        }
        try ForeignFolder.write("abcdef.post.new-ffffffff", below: outbox.folder)
        let claim = try await outbox.add(Self.post, for: Self.account)
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: outbox.folder))
        #expect(left == Set(others + ["abcdef.post.new-ffffffff", claim.entry.id + ".post"]))
    }

    @Test func stateFolderMayBeALink() async throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: other.path + "/state", withDestinationPath: folder.path)
        let linked = Outbox(folder: other.path + "/state")
        let claim = try await linked.add(Self.post, for: Self.account)
        #expect(try await outbox.entries() == [claim.entry])
        try await claim.remove()
        #expect(try await outbox.entries().isEmpty)
    }
}
