import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedClientKit

/// The file of stored timelines may be another program's, or lead to it; then it is not changed.
@Suite(.hangLimit)
struct OfflineDatabaseTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    /// The database of another program.
    private static func foreign() throws -> ForeignFolder {
        try ForeignFolder { path in
            let queue = try DatabaseQueue(path: path + "/places.sqlite")
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('precious')")
            }
            try queue.close()
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.path + "/" + name, withDestinationPath: target)
    }

    private func refusal() -> FeedClientError? { #expect(throws: FeedClientError.self) { try fixture.open() } }

    // MARK: Links

    @Test(arguments: ["", "-journal", "-wal", "-shm"]) func linkToAnotherDatabaseIsRefused(suffix: String) throws {
        let foreign = try Self.foreign()
        try link("timelines.sqlite" + suffix, to: foreign.path("places.sqlite"))
        let error = refusal()
        #expect(error?.code == .disk && error?.hint != nil)
        #expect(error?.message == fixture.path + suffix + " is a symbolic link")
        #expect(foreign.changes == [])
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: fixture.path + suffix)
        #expect(target == foreign.path("places.sqlite"))
    }

    /// SQLite would create the file.
    @Test func danglingLinkIsRefused() throws {
        let foreign = try ForeignFolder(["notes.txt"])
        try link("timelines.sqlite", to: foreign.path("new.sqlite"))
        #expect(refusal()?.message.hasSuffix("is a symbolic link") == true)
        #expect(foreign.changes == [])
    }

    /// The file is opened again after an error.
    @Test func linkPlantedWhileTheStoreIsOpenIsRefused() async throws {
        let foreign = try Self.foreign()
        let store = try fixture.open()
        try await store.save(try StoreFixture.segment([1]), of: .public, now: 1)
        try FileManager.default.removeItem(atPath: fixture.path)
        try link("timelines.sqlite", to: foreign.path("places.sqlite"))
        let error = await #expect(throws: FeedClientError.self) {
            try await store.save(try StoreFixture.segment([2]), of: .public, now: 1)
        }
        #expect(error?.message.hasSuffix("is a symbolic link") == true)
        #expect(foreign.changes == [])
    }

    @Test func pipeIsNotDiscarded() throws {
        #expect(mkfifo(fixture.path, 0o600) == 0)
        let error = refusal()
        #expect(error?.code == .disk && error?.message.contains("is not a regular file") == true)
        var status = stat()
        #expect(lstat(fixture.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test func stateFolderMayBeALink() async throws {
        let other = try TemporaryFolder()
        let place = other.path + "/state"
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: fixture.folder.path)
        try await OfflineStore(folder: place, owner: StoreFixture.owner).save(
            try StoreFixture.segment([1]), of: .public, now: 1)
        #expect(try await fixture.open().contents() == ["1"])
    }

    // MARK: Databases

    /// Also a database whose version happens to be ours, or some of whose tables are called like ours.
    @Test(
        arguments: [
            (0, 0, "CREATE TABLE bookmark (url TEXT)"), (0, 2, "CREATE TABLE bookmark (url TEXT)"), (0, 7, ""),
            (0, 0, "CREATE TABLE entry (id INTEGER, title TEXT)"),
            (0, 1, "CREATE TABLE page (owner, timeline, synced_at)"),
            (42, 0, "CREATE TABLE page (owner, timeline, synced_at)"), (42, 2, ""),
            (0, 0, "CREATE VIEW page AS SELECT 1 AS a"),
            (0, 0, "CREATE TABLE page (owner, timeline, synced_at); CREATE TABLE bookmark (url TEXT)"),
        ] as [(Int, Int, String)])
    func databaseOfAnotherProgramIsKept(id: Int, version: Int, sql: String) throws {
        try fixture.access { db in
            try db.execute(sql: "PRAGMA application_id = \(id); PRAGMA user_version = \(version);" + sql)
        }
        #expect(chmod(fixture.path, 0o644) == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let error = refusal()
        #expect(error?.code == .disk && error?.hint != nil)
        #expect(error?.message == fixture.path + " is a database of another program")
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == before)
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
    }

    private func applicationID() throws -> Int {
        try fixture.access { try Int.fetchOne($0, sql: "PRAGMA application_id") ?? 0 }
    }

    /// The file was written by the version before, or before it had an application id.
    @Test(arguments: [true, false]) func fileOfThePreviousVersionIsKept(hasID: Bool) async throws {
        try await fixture.open().save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        let id = try applicationID()
        #expect(id != 0)
        try fixture.access { db in
            let columns = [
                "timeline": ["has_news", "verified_at"], "owner": ["notifications_at", "conversations_at"],
            ]
            for (table, names) in columns {
                for name in names { try db.execute(sql: "ALTER TABLE \(table) DROP COLUMN \(name)") }
            }
            try db.execute(sql: "PRAGMA user_version = 2; PRAGMA application_id = \(hasID ? id : 0)")
        }
        #expect(try await fixture.open().contents() == ["2", "1"])
        #expect(try applicationID() == id)
    }

    @Test(arguments: [1, 4]) func tablesOfAnotherVersionAreReplaced(version: Int) async throws {
        try await fixture.open().save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        try fixture.access { db in
            try db.execute(sql: "CREATE TABLE later (a TEXT); PRAGMA user_version = \(version)")
        }
        let store = try fixture.open()
        #expect(try await store.contents() == nil)
        try await store.save(try StoreFixture.segment([3]), of: .public, now: 1)
        #expect(try await store.contents() == ["3"])
        #expect(try fixture.access { try $0.tableExists("later") } == false)
    }
}
