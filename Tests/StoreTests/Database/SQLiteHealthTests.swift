import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import Synchronization
import TestKit
import Testing

@testable import FeedStore

/// A missing or damaged database accepts no writes, and reports the reason once.
@Suite(.hangLimit, .onSQLite)
struct SQLiteHealthTests {
    private final class Reports: Sendable {
        private let list = Mutex<[FeedError]>([])

        var messages: [String] { list.withLock { $0.map(\.message) } }
        func add(_ error: FeedError) { list.withLock { $0.append(error) } }
    }

    private static func open(_ folder: TemporaryFolder, _ reports: Reports = Reports()) throws -> FeedDatabase {
        try FeedDatabase(
            folder: folder.path + "/data", clock: TestClock().clock, version: "test",
            report: { reports.add($0) })
    }

    @Test func nothingIsAcknowledgedWhileTheFileIsMissing() async throws {
        let folder = try TemporaryFolder()
        let reports = Reports()
        let database = try Self.open(folder, reports)
        let accounts = AccountStore(database)
        _ = try await accounts.create(NewAccount(username: "ada"))
        let path = try #require(database.sqlite).pool.path
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        for name in ["bob", "cleo"] {
            let error = await #expect(throws: FeedError.self) {
                try await accounts.create(NewAccount(username: name))
            }
            #expect(error?.kind == .unavailable && error?.hint != nil)
        }
        // Reads still work.
        #expect(try await accounts.account(named: "ada") != nil)
        // A different file at the same path is not the database.
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: FeedError.self) { try await accounts.create(NewAccount(username: "bob")) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        _ = try await accounts.create(NewAccount(username: "bob"))
        #expect(reports.messages.count == 1, "\(reports.messages)")
        try database.close()
    }

    @Test(arguments: ["truncated", "without its log"])
    func nothingIsAcknowledgedThatARestartWouldLose(_ database: String) async throws {
        let folder = try TemporaryFolder()
        let reports = Reports()
        let open = try Self.open(folder, reports)
        let accounts = AccountStore(open)
        _ = try await accounts.create(NewAccount(username: "ada"))
        let path = try #require(open.sqlite).pool.path
        if database == "truncated" {
            #expect(truncate(path, 0) == 0)
        } else {
            try FileManager.default.removeItem(atPath: path + "-wal")
        }
        for name in ["bob", "cleo"] {
            let error = await #expect(throws: FeedError.self) {
                try await accounts.create(NewAccount(username: name))
            }
            #expect(error?.kind == .unavailable && error?.hint != nil)
        }
        #expect(reports.messages.count == 1, "\(reports.messages)")
        try? open.close()
        guard database != "truncated" else { return }
        let again = try Self.open(folder)
        #expect(try await AccountStore(again).account(named: "ada") != nil)
        #expect(try await AccountStore(again).account(named: "bob") == nil)
        try again.close()
    }

    @Test func detectedDamageStopsWrites() async throws {
        let folder = try TemporaryFolder()
        let reports = Reports()
        let database = try Self.open(folder, reports)
        let accounts = AccountStore(database)
        let first = try await accounts.create(NewAccount(username: "ada"))
        // More than SQLite caches in memory.
        try await database.commits.write { db in
            for index in 0..<4000 {
                var new = NewAccount(username: "user\(index)")
                new.note = String(repeating: "x", count: 3000)
                _ = try AccountStore.insert(new, createdAt: 1, importID: 0, into: db)
            }
        }
        let pool = try #require(database.sqlite).pool
        _ = try await pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        // Overwrites everything except the header and the schema.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: pool.path))
        let size = try file.seekToEnd()
        for page in 60..<(size / 4096) {
            try file.seek(toOffset: page * 4096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
        var refusals: [FeedError] = []
        for index in 0..<20 {
            do {
                _ = try await accounts.update(first.id) { $0.note = "\(index)" }
                _ = try await accounts.setAvatar(.starting("\(index % 10)"), of: first.id)
            } catch let error as FeedError {
                refusals.append(error)
            }
        }
        #expect(refusals.last?.kind == .unavailable && refusals.last?.hint?.contains("backup") == true)
        #expect(reports.messages.count == 1, "\(reports.messages)")
        try? database.close()
    }

    /// A large file is opened without a look at all its pages; the server looks at them while it runs.
    @Test func damageInALargeFileIsFoundLater() async throws {
        let folder = try TemporaryFolder()
        try await LargeFeed.make(in: folder, bytes: 24 << 20)
        let whole = try Self.open(folder)
        try await whole.checkPages()
        _ = try await AccountStore(whole).create(NewAccount(username: "ada"))
        let path = try #require(whole.sqlite).pool.path
        try whole.close()
        try Self.damageText(path)

        let reports = Reports()
        let damaged = try Self.open(folder, reports)
        _ = try await AccountStore(damaged).create(NewAccount(username: "bob"))
        #expect(reports.messages.isEmpty)
        let error = await #expect(throws: FeedError.self) { try await damaged.checkPages() }
        #expect(error?.kind == .storage && error?.hint?.contains("backup") == true)
        #expect(reports.messages.count == 1, "\(reports.messages)")
        let refusal = await #expect(throws: FeedError.self) {
            try await AccountStore(damaged).create(NewAccount(username: "cleo"))
        }
        #expect(refusal?.kind == .unavailable)
        try? damaged.close()
    }

    /// Overwrites pages that contain nothing but the middle of a long text and the number of the next page.
    private static func damageText(_ path: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let text = Data(repeating: UInt8(ascii: "x"), count: 4092)
        let pages = stride(from: 0, to: bytes.count, by: 4096).filter { bytes[$0 + 4..<$0 + 4096] == text }
        try #require(pages.count > 1000)
        for page in pages[500..<510] {
            bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0xA5, count: 4096))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func checkOfALargeFileEndsWithItsTask() async throws {
        let folder = try TemporaryFolder()
        try await LargeFeed.make(in: folder, bytes: 24 << 20)
        let database = try Self.open(folder)
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await database.checkPages() } }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result { #expect(error is CancellationError, "\(error)") }
            }
        }
        _ = try await AccountStore(database).create(NewAccount(username: "ada"))
        try database.close()
    }

    @Test(arguments: ["blobs/ab", "feed.sqlite-wal"], [false, true])
    func folderWithAMissingDatabaseIsNotANewFeed(rest: String, hasEmptyFile: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/data/" + rest
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        let file = URL(fileURLWithPath: folder.path + "/data/feed.sqlite")
        if hasEmptyFile { try Data().write(to: file) }
        let error = #expect(throws: FeedError.self) { try Self.open(folder) }
        #expect(error?.kind == .storage && error?.hint?.contains("backup") == true)
        #expect(FeedDatabase.exists(in: folder.path + "/data") == hasEmptyFile)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("x".utf8))
    }

    /// An empty file is left by a first start that ended at once.
    @Test func emptyFileAloneBecomesANewFeed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder.path + "/data/feed.sqlite"))
        try Self.open(folder).close()
    }

    @Test func emptyFoldersBecomeANewFeed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/data/blobs", withIntermediateDirectories: true)
        try Self.open(folder).close()
    }
}
