import FeedTestSupport
import Foundation
import GRDB
import Synchronization
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct SQLiteReaderPoolTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/test.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// Opens a database with a table of numbers.
    private func pool() throws -> DatabasePool {
        let pool = try DatabasePool(path: path)
        try pool.write { try $0.execute(sql: "CREATE TABLE number (n INTEGER); INSERT INTO number VALUES (0), (0)") }
        return pool
    }

    private func readers() throws -> SQLiteReaderPool {
        try SQLiteReaderPool(path: path, configuration: Configuration(), count: 3)
    }

    private static func numbers(_ db: GRDB.Database) throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT n FROM number")
    }

    @Test func readIsIsolatedFromWrites() async throws {
        let (pool, readers) = (try pool(), try readers())
        let before = try await readers.read { db in
            let first = try Self.numbers(db)
            try pool.write { try $0.execute(sql: "UPDATE number SET n = n + 1") }
            return (first, try Self.numbers(db))
        }
        #expect(before == ([0, 0], [0, 0]))
        #expect(try await readers.read(Self.numbers) == [1, 1])
    }

    @Test func readsRunConcurrently() async throws {
        let (pool, readers) = (try pool(), try readers())
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 0..<200 {
                group.addTask { try await readers.read(Self.numbers) }
                if number % 10 == 0 { try await pool.write { try $0.execute(sql: "UPDATE number SET n = n + 1") } }
            }
            for try await numbers in group { #expect(Set(numbers).count == 1) }
        }
    }

    @Test func failedReadLeavesTheConnectionUsable() async throws {
        let (_, readers) = (try pool(), try SQLiteReaderPool(path: path, configuration: Configuration(), count: 1))
        await #expect(throws: DatabaseError.self) {
            try await readers.read { try $0.execute(sql: "SELECT * FROM nothing") }
        }
        await #expect(throws: DatabaseError.self) {
            try await readers.read { try $0.execute(sql: "DELETE FROM number") }
        }
        #expect(try await readers.read(Self.numbers) == [0, 0])
    }

    /// No further connection can be opened, so the first one serves all reads.
    @Test func deletedFileIsReadByTheConnectionThatIsOpen() async throws {
        let (pool, readers) = (try pool(), try readers())
        try FileManager.default.removeItem(atPath: path)
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<50 { group.addTask { try await readers.read(Self.numbers) } }
            for try await numbers in group { #expect(numbers == [0, 0]) }
        }
        try pool.close()
    }

    @Test func missingFileIsReported() throws { #expect(throws: DatabaseError.self) { try readers() } }

    @Test func closedConnectionsRefuseReads() async throws {
        let (_, readers) = (try pool(), try readers())
        async let last = readers.read(Self.numbers)
        #expect(try await last == [0, 0])
        readers.close()
        await #expect(throws: DatabaseError.self) { try await readers.read(Self.numbers) }
    }

    @Test func closingWaitsForReadsThatHaveBegun() async throws {
        let (_, readers) = (try pool(), try readers())
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasEnded = Atomic(false)
        async let read = readers.read { db in
            begun.signal()
            mayEnd.wait()
            hasEnded.store(true, ordering: .releasing)
            return try Self.numbers(db)
        }
        let hadEnded = await Self.onThread {
            begun.wait()
            Thread.detachNewThread {
                // If closing did not wait, it would probably return before this.
                usleep(50_000)
                mayEnd.signal()
            }
            readers.close()
            return hasEnded.load(ordering: .acquiring)
        }
        #expect(hadEnded)
        #expect(try await read == [0, 0])
    }

    @Test func cancelledTaskReadsNothing() async throws {
        let (_, readers) = (try pool(), try readers())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await readers.read(Self.numbers)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
