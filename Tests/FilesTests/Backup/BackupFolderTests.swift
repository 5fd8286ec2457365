import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct BackupFolderTests {
    private static let hash = String(repeating: "0a", count: 32)

    private static func add(_ time: String, to folder: BackupFolder) throws {
        let name = try #require(BackupName(time: time))
        let path = folder.temporaryFolder + "/db"
        try Data("db".utf8).write(to: URL(fileURLWithPath: path))
        let manifest = BackupManifest(
            version: "1", name: name, schema: 1, epoch: "e", lastChange: 0,
            counts: .init(accounts: 0, statuses: 0, files: 0), database: .init(bytes: 2, sha256: hash),
            blobs: .init(count: 0, bytes: 0, sha256: hash, missing: []))
        try folder.add(name, database: path, manifest: manifest)
    }

    @Test func incompleteBackupsAreRemoved() throws {
        let place = try TemporaryFolder()
        try {
            let folder = try BackupFolder.claim(place.path)
            try Self.add("2026-11-22T08:00:00.000Z", to: folder)
            try Self.add("2026-11-21T08:00:00.000Z", to: folder)
            try Data().write(to: URL(fileURLWithPath: place.path + "/backup-2026-11-23T08-00-00.000Z.sqlite"))
            try Data().write(to: URL(fileURLWithPath: folder.temporaryFolder + "/rest"))
            try FileManager.default.createDirectory(
                atPath: folder.temporaryFolder + "/x.copy", withIntermediateDirectories: true)
        }()
        _ = try place.file("notes.txt", "mine")
        let folder = try Wait.untilFree { try BackupFolder.claim(place.path) }
        #expect(try folder.manifests().found.map(\.time) == ["2026-11-21T08:00:00.000Z", "2026-11-22T08:00:00.000Z"])
        #expect(try folder.names().count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.temporaryFolder).isEmpty)
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
        #expect(throws: FeedError.self) { try BackupFolder.claim(folder.path) }
        #expect(throws: FeedError.self) { try BackupFolder.open(folder.path) }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
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
        let source = try place.file("source", String(repeating: "x", count: 3_000_000))
        let target = place.path + "/target"
        #expect(try HashedFile.copy(source, to: target).size == 3_000_000)
        #expect(throws: FeedError.self) { try HashedFile.copy(source, to: target) }
        #expect(throws: UnreadableFile.self) { try HashedFile.copy(place.path, to: target + "2") }
        #expect(throws: UnreadableFile.self) { try HashedFile.copy(source + "0", to: target + "2") }
        #expect(HashedFile.size(target + "2") == nil && HashedFile.size(target) == 3_000_000)
    }
}
