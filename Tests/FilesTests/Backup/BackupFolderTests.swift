import FeedCore
import FeedFiles
import FeedFolders
import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct BackupFolderTests {
    private static let hash = String(repeating: "0a", count: 32)

    private static func add(_ time: String, to folder: BackupFolder) throws {
        let name = try #require(BackupName(time: time))
        let staging = try folder.stage()
        try Data("db".utf8).write(to: URL(fileURLWithPath: staging.path(name.databaseFile)))
        let manifest = BackupManifest(
            version: "1", name: name, schema: 1, epoch: "e", lastChange: 0,
            counts: .init(accounts: 0, statuses: 0, files: 0), database: .init(bytes: 2, sha256: hash),
            blobs: .init(count: 0, bytes: 0, sha256: hash, missing: []))
        try folder.add(name, from: staging, manifest: manifest)
    }

    @Test func incompleteBackupsAreRemoved() throws {
        let place = try TemporaryFolder()
        try {
            let folder = try BackupFolder.claim(place.path)
            try Self.add("2026-11-22T08:00:00.000Z", to: folder)
            try Self.add("2026-11-21T08:00:00.000Z", to: folder)
            try Data().write(to: URL(fileURLWithPath: place.path + "/backup-2026-11-23T08-00-00.000Z.sqlite"))
            let staging = try folder.stage()
            try Data().write(to: URL(fileURLWithPath: staging.path + "/rest"))
            _ = try staging.newFolder("x.copy").createFile("y")
            try Data().write(to: URL(fileURLWithPath: place.path + "/tmp/mine"))
        }()
        _ = try place.file("notes.txt", "mine")
        let folder = try Wait.untilFree { try BackupFolder.claim(place.path) }
        #expect(try folder.manifests().found.map(\.time) == ["2026-11-21T08:00:00.000Z", "2026-11-22T08:00:00.000Z"])
        #expect(try folder.names().count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/tmp") == ["mine"])
        #expect(FileManager.default.fileExists(atPath: place.path + "/notes.txt"))
    }

    /// Its files might be needed, so they are kept.
    @Test func unreadableManifestIsReportedAndKept() throws {
        let place = try TemporaryFolder()
        try {
            let folder = try BackupFolder.claim(place.path)
            try Self.add("2026-11-22T08:00:00.000Z", to: folder)
        }()
        let path = place.path + "/backup-2026-11-22T08-00-00.000Z"
        try Data("{".utf8).write(to: URL(fileURLWithPath: path + ".json"))
        let folder = try Wait.untilFree { try BackupFolder.claim(place.path) }
        let (found, problems) = try folder.manifests()
        #expect(found.isEmpty && problems.count == 1)
        #expect(FileManager.default.fileExists(atPath: path + ".sqlite"))
    }

    @Test func folderIsUsedByOneProcess() throws {
        let place = try TemporaryFolder()
        let folder = try BackupFolder.claim(place.path + "/a/b")
        #expect(throws: FeedError.self) { try BackupFolder.claim(folder.root.path) }
        #expect(throws: FeedError.self) { try BackupFolder.open(folder.root.path) }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.root.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func otherFoldersAreRefused() throws {
        let place = try TemporaryFolder()
        let file = try place.file("mine.txt", "x")
        for path in [place.path, file, file + "/below"] {
            #expect(throws: FeedError.self) { try BackupFolder.claim(path) }
        }
        #expect(throws: FeedError.self) { try BackupFolder.open(place.path + "/none") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["mine.txt"])
    }

    @Test func partialCopyIsRemoved() throws {
        let place = try TemporaryFolder()
        _ = try place.file("source", String(repeating: "x", count: 3_000_000))
        let folder = try Folder(place.path)
        let source = try folder.openFile("source")
        defer { close(source) }
        #expect(try HashedFile.copy(source, to: "target", in: folder).size == 3_000_000)
        #expect(throws: FeedError.self) { try HashedFile.copy(source, to: "target", in: folder) }
        #expect(throws: UnreadableFile.self) { try HashedFile.copy(folder.descriptor, to: "other", in: folder) }
        #expect(folder.size(ofFile: "other") == nil && folder.size(ofFile: "target") == 3_000_000)
    }
}
