import FeedCore
import FeedFolders
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

/// The data folder of a restore, which may be interrupted at any time.
@Suite(.onSQLite)
struct DataFolderRestoreTests {
    private static func names(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    private static func stage(_ target: DataFolderRestore) async throws {
        let staged = try FeedDatabase(folder: target.staging.path, clock: TestClock().clock, version: "1")
        try await staged.finishRestoring(target.id)
        try staged.close()
    }

    @Test func interruptedRestoreStartsOverWithItsBlobs() async throws {
        let place = try TemporaryFolder()
        let folder = place.path + "/data"
        let id = try {
            let first = try DataFolderRestore(folder: folder)
            #expect(!first.isResumed)
            try Data("x".utf8).write(to: URL(fileURLWithPath: first.stagedDatabase))
            try FileManager.default.createDirectory(atPath: folder + "/blobs/ab", withIntermediateDirectories: true)
            return first.id
        }()
        let error = #expect(throws: FeedError.self) { try DataFolderRestore.refuseIncomplete(folder) }
        #expect(error?.hint?.contains("restore") == true)
        // Killed after the database got its name.
        try await {
            let second = try Wait.untilFree { try DataFolderRestore(folder: folder) }
            #expect(second.isResumed && second.id == id)
            #expect(try Self.names(second.staging.path) == ["id"])
            try await Self.stage(second)
            try second.moveDatabaseIntoPlace()
        }()
        let third = try Wait.untilFree { try DataFolderRestore(folder: folder) }
        #expect(try third.isResumed && Self.names(folder) == ["feed.lock", "restoring", "blobs"])
        try await Self.stage(third)
        try third.moveDatabaseIntoPlace()
        try third.finish()
        #expect(try Self.names(folder) == ["feed.lock", "blobs", "feed.sqlite"])
        try DataFolderRestore.refuseIncomplete(folder)
        let restored = try FeedDatabase(folder: folder, clock: TestClock().clock, version: "1")
        #expect(try await restored.isRestored(by: id))
        try restored.close()
    }

    /// Each command has left its lock file.
    @Test func folderWithLockFilesIsEmpty() throws {
        let folder = try TemporaryFolder()
        for name in ["feed.lock", "serve.lock"] { _ = try folder.file(name, "") }
        #expect(try !DataFolderRestore(folder: folder.path).isResumed)
    }

    @Test func onlyAnEmptyUnusedFolderIsFilled() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("mine.txt", "x")
        #expect(throws: FeedError.self) { try DataFolderRestore(folder: folder.path) }
        #expect(throws: FeedError.self) { try DataFolderRestore(folder: file) }
        #expect(try Self.names(folder.path) == ["mine.txt"])
        let place = folder.path + "/data"
        let target = try DataFolderRestore(folder: place)
        let error = #expect(throws: FeedError.self) { try DataFolderRestore(folder: place) }
        #expect(error?.kind == .conflict)
        try target.finish()
        let feed = try FeedDatabase(folder: place, clock: TestClock().clock, version: "1")
        #expect(throws: FeedError.self) { try DataFolderRestore(folder: place) }
        try feed.close()
    }

    @Test func restoreRenewsTheEpoch() async throws {
        let store = try TestStore()
        try await store.post("x", by: try await store.account("ada"))
        let (epoch, sequence) = (store.database.log.epoch, store.database.log.sequence)
        try await store.database.finishRestoring("r")
        #expect(store.database.log.epoch != epoch && store.database.log.sequence == sequence)
        #expect(try await store.changes.position().epoch == store.database.log.epoch)
    }
}
