import FeedCore
import FeedFolders
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

@Suite(.onSQLite)
struct DataFolderLockTests {
    /// A folder with the schema of an older version.
    private static func older() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder.path + "/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "8")
        try pool.close()
        return folder
    }

    @Test(.onOwnThread) func migrationIsRejectedWhileAServerRuns() throws {
        let folder = try Self.older()
        let server = try DataFolderLock(folder: Folder(folder.path))
        let error = #expect(throws: FeedError.self) {
            try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1")
        }
        #expect(error?.kind == .conflict && error?.hint?.contains("Stop") == true)
        let pool = try DatabasePool(path: folder.path + "/" + SQLiteDatabase.fileName)
        #expect(try SQLiteMigrations.isDue(on: pool))
        try pool.close()
        server.release()
        try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1").close()
    }

    /// For example a vacuum.
    @Test(.onOwnThread) func folderThatAProcessUsesAloneIsRefused() throws {
        let folder = try TemporaryFolder()
        let vacuum = try DataFolderLock(alone: Folder(folder.path))
        let error = #expect(throws: FeedError.self) { try DataFolderLock(folder: Folder(folder.path)) }
        #expect(error?.kind == .conflict && error?.hint?.contains("Wait") == true)
        vacuum.release()
        try DataFolderLock(folder: Folder(folder.path)).release()
    }

    /// A restore may begin between the check of a command and its lock.
    @Test func incompleteRestoreIsRefusedUnderTheLock() throws {
        let folder = try TemporaryFolder()
        #expect(mkdir(folder.path + "/restoring", 0o700) == 0)
        let error = #expect(throws: FeedError.self) {
            try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1")
        }
        #expect(error?.kind == .conflict && error?.message.contains("has not been completed") == true)
        #expect(!SQLiteDatabase.exists(in: folder.path))
    }

    @Test func processesMayShareAMigratedFolder() throws {
        let folder = try Self.older()
        let first = try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1")
        let second = try FeedDatabase(folder: folder.path, clock: TestClock().clock, version: "1")
        try first.close()
        try second.close()
    }
}
