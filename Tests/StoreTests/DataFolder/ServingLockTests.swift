import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

/// A folder is served by one process at a time.
@Suite(.hangLimit, .onSQLite)
struct ServingLockTests {
    private static func open(_ folder: TemporaryFolder, isServing: Bool) throws -> FeedDatabase {
        try FeedDatabase(
            folder: folder.path + "/data", clock: TestClock().clock, version: "test", isServing: isServing)
    }

    @Test func secondServerIsRefusedUntilTheFirstEnds() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let first = try Self.open(folder, isServing: true)
        #expect(ServingLock.owner(of: data) == getpid())
        let error = #expect(throws: FeedError.self) { try Self.open(folder, isServing: true) }
        #expect(error?.kind == .conflict && error?.message.contains("served by process \(getpid())") == true)
        #expect(error?.hint?.contains("--data") == true)
        // Other commands may use the folder.
        try Self.open(folder, isServing: false).close()
        try first.close()
        // A program that another test is starting may have the file open for a moment.
        try await Wait.until("the lock is free") { ServingLock.owner(of: data) == nil }
        try Self.open(folder, isServing: true).close()
    }

    @Test func fileOfACrashedServerIsNoLock() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        _ = try folder.file("data/serve.lock", "12345\n")
        #expect(ServingLock.owner(of: folder.path + "/data") == nil)
        let database = try Self.open(folder, isServing: true)
        #expect(ServingLock.owner(of: folder.path + "/data") == getpid())
        try database.close()
    }
}
