import FeedCore
import FeedTestSupport
import Synchronization
import TestKit

@testable import FeedStore

/// A database engine that counts what is read through it, and that holds readers until a test lets them continue.
final class ObservedEngine: DatabaseBackend {
    /// Counts statements, or only those that contain a text.
    fileprivate final class Counter: Sendable {
        private let text: String?
        private let count = Mutex(0)

        init(_ text: String?) { self.text = text }

        var value: Int { count.withLock { $0 } }

        func add(_ statement: String) {
            if let text, !statement.contains(text) { return }
            count.withLock { $0 += 1 }
        }
    }

    private struct Readers {
        var running = 0
        var peak = 0
        var areHeld = false
    }

    private let engine: any DatabaseBackend
    private let counter: Counter
    private let readers = Mutex(Readers())

    let isShared: Bool

    private init(_ engine: any DatabaseBackend, isShared: Bool, counting text: String?) {
        (self.engine, self.isShared, counter) = (engine, isShared, Counter(text))
    }

    /// A new store, whose database is read through the engine.
    /// - Parameters:
    ///   - isShared: Whether the database behaves as if other servers used it, too.
    ///   - text: What the counted statements contain; `nil` to count all.
    static func store(
        isShared: Bool? = nil, counting text: String? = nil
    ) throws -> (store: TestStore, engine: ObservedEngine) {
        let store = try TestStore()
        let engine = ObservedEngine(
            store.database.engine, isShared: isShared ?? store.database.isShared, counting: text)
        let database = try FeedDatabase(
            engine: engine, clock: store.clock.clock, version: "test", caches: Limits().caches)
        return (TestStore(store, database: database), engine)
    }

    /// The number of counted statements that have been executed for readers.
    var statements: Int { counter.value }
    /// The number of running and held readers.
    var running: Int { readers.withLock { $0.running } }
    /// The largest number of readers at the same time since the last call of ``hold()``.
    var peak: Int { readers.withLock { $0.peak } }

    /// Holds all readers that begin from now on.
    func hold() { readers.withLock { ($0.areHeld, $0.peak) = (true, $0.running) } }

    /// Lets all readers continue.
    func release() { readers.withLock { $0.areHeld = false } }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (FeedStore.Database) throws -> Value
    ) async throws -> Value {
        readers.withLock {
            $0.running += 1; $0.peak = max($0.peak, $0.running)
        }
        defer { readers.withLock { $0.running -= 1 } }
        try await Wait.until("readers may continue") { readers.withLock { !$0.areHeld } }
        return try await engine.read { [counter] db in
            try body(Database(connection: CountingConnection(connection: db.connection, counter: counter)))
        }
    }

    var isMigrated: Bool { engine.isMigrated }
    var maximumBatch: Int { engine.maximumBatch }

    func write(_ body: @escaping @Sendable (any WriterConnection) -> Void) { engine.write(body) }
    func requireWritable() throws { try engine.requireWritable() }
    func failed(_ error: any Error) -> any Error { engine.failed(error) }
    func isDiskFull(_ error: any Error) -> Bool { engine.isDiskFull(error) }
    func releaseReserve() -> Bool { engine.releaseReserve() }
    func keepReserve() { engine.keepReserve() }
    func requireReserve() throws(FeedError) { try engine.requireReserve() }
    func snapshot() throws -> any DatabaseSnapshotting { try engine.snapshot() }
    func bytes() async throws -> Int64 { try await engine.bytes() }
    func vacuum() async throws { try await engine.vacuum() }
    func stamp() -> ChangeStamp { engine.stamp() }
    func lockImports() throws -> any ImportLocking { try engine.lockImports() }
    func isLeader() async -> Bool { await engine.isLeader() }
    func close() throws { try engine.close() }
}

/// Counts the statements of a connection.
private struct CountingConnection: DatabaseConnection {
    let connection: any DatabaseConnection
    let counter: ObservedEngine.Counter

    var changesCount: Int { get throws { try connection.changesCount } }
    var fullText: any SearchIndex { connection.fullText }

    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        counter.add(sql)
        return try connection.run(sql, values, isReused: isReused)
    }

    func columns(of table: String) throws -> [String] { try connection.columns(of: table) }
    func hasTable(_ name: String) throws -> Bool { try connection.hasTable(name) }
    func restartIdentities() throws { try connection.restartIdentities() }
}
