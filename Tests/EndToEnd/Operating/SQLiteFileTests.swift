import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Other users of the machine cannot read a feed, even in a folder that is open to them.
@Suite(.hangLimit)
struct SQLiteFileTests {
    @Test(arguments: ["000", "022", "777"])
    func newFilesArePrivate(umask: String) async throws {
        let folder = try Self.openFolder()
        let added = try await Tool.run(
            "sh",
            [
                "-c", "umask \(umask); exec \"$0\" \"$@\"", Programs.feedserver, "account", "add", "ada",
                "--password-stdin", "--data", folder.path + "/data",
            ], input: Data("secretsecret\n".utf8))
        #expect(added.code == 0, "\(added.error)")
        #expect(try Self.mode(folder.path + "/data/feed.sqlite") == 0o600)
        let server = try await ServerProcess.start(folder: folder)
        #expect(try Self.open(in: server.data) == [])
        #expect(FileManager.default.fileExists(atPath: server.data + "/feed.sqlite-wal"))
    }

    @Test func existingPermissionsAreRestricted() async throws {
        let folder = try Self.openFolder()
        let first = try await ServerProcess.start(folder: folder)
        try await first.addAccount("ada")
        // Killed, so that the write-ahead log remains beside the database.
        try await first.stop(SIGKILL)
        for name in try FileManager.default.subpathsOfDirectory(atPath: first.data) {
            #expect(chmod(first.data + "/" + name, 0o755) == 0)
        }
        let second = try await ServerProcess.start(folder: folder)
        #expect(try await second.admin("account", "list").text.contains("ada"))
        #expect(try Self.open(in: second.data) == [])
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [uid_t(0), 12_345])
    func whatRootCreatesBelongsToTheOwnerOfTheFolder(owner: uid_t) async throws {
        let folder = try TemporaryFolder()
        let places = ["data", "backups", "new"].map { folder.path + "/" + $0 }
        for place in places {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try #require(chown(place, owner, owner) == 0)
        }
        let server = try await FileServer.start(folder: folder)
        try await server.store("a.bin", SampleBytes.make(1000, seed: 1))
        let picture = try folder.file("picture.png")
        try SampleImages.png(48, 48).write(to: URL(fileURLWithPath: picture))
        let lines = try folder.file("feed.ndjson", #"{"kind":"account","username":"bob"}"# + "\n")
        let commands = [
            ["account", "avatar", "ada", picture], ["import", lines], ["gc"], ["check", "--repair"],
            ["backup", places[1]], ["backup", places[1], "--keep", "1"],
        ]
        for command in commands {
            let done = try await Tool.run(Programs.feedserver, command + ["--data", server.process.data])
            #expect(done.code == 0, "\(command): \(done.error)")
        }
        let restored = try await Tool.run(Programs.feedserver, ["restore", places[1], "--data", places[2]])
        #expect(restored.code == 0, "\(restored.error)")
        for place in places { #expect(try Self.foreign(in: place, owner: owner) == []) }
        #expect(server.blobs().count >= 2)
        try await server.process.stop()
    }

    /// Files and folders that do not belong to a user. The server may be creating and removing some.
    private static func foreign(in folder: String, owner: uid_t) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return false }
            return status.st_uid != owner
        }
    }

    private static func openFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        #expect(chmod(folder.path + "/data", 0o755) == 0)
        return folder
    }

    /// Files and folders that other users can read.
    private static func open(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { try mode(folder + "/" + $0) & 0o077 != 0 }
    }

    private static func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}
