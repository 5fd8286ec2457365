import FeedAPI
import FeedCore
import Foundation
import Synchronization

/// A PostgreSQL database, which several servers may share.
final class PostgresDatabase: DatabaseBackend {
    let isMigrated: Bool
    let isShared = true
    // Small, because other servers wait for the write lock during a transaction.
    let maximumBatch = 60
    private let readers: PostgresPool
    private let writer: Mutex<PostgresWriter>
    private let writing = DispatchQueue(label: "postgres-writer")
    private let listener: PostgresListener
    private let leader: PostgresLeader
    private let openImportLock: @Sendable () throws -> PostgresConnection
    /// Opens a connection for long queries.
    private let openSession: @Sendable () throws -> PostgresConnection

    /// Connects, checks the server, and creates the schema if the database is empty.
    /// - Throws: ``FeedError`` with a hint.
    init(_ address: PostgresAddress, creating: Bool) throws {
        let pq = try PostgresLibrary.load()
        let dialect = PostgresSQL()
        let connect: @Sendable (Bool, String) throws -> PostgresConnection = { isPrimary, settings in
            let connection = try PostgresConnection(
                pq, url: address.withDefaults(primary: isPrimary), dialect: dialect)
            try connection.executeScript(
                """
                SET client_encoding = 'UTF8'; SET client_min_messages = warning; SET plan_cache_mode = force_generic_plan; SET jit = off;
                SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; \(settings)
                """)
            return connection
        }
        let limit: @Sendable (String, Int) -> String = { name, seconds in
            "SET \(name) = '\(Timeout.seconds(seconds))s'"
        }
        do {
            // Accepts any server, so that the error can state that it is a standby.
            let first = try connect(false, "SET lock_timeout = '30s'")
            try PostgresSchema.check(first, address)
            isMigrated = try PostgresSchema.migrate(first, creating: creating)
        } catch let error as PostgresError {
            throw FeedError(
                .unavailable, "cannot use \(address.redacted): \(error.message)",
                hint: "Check the address, and that the server is running and accepts this user.", cause: error)
        }
        readers = PostgresPool(count: max(4, ProcessInfo.processInfo.activeProcessorCount * 2)) {
            try connect(true, "\(limit("statement_timeout", 10)); SET default_transaction_read_only = on")
        }
        writer = Mutex(
            PostgresWriter {
                // Every search reads the pending lists of GIN, and one that is large delays the commit that empties it.
                let connection = try connect(
                    true,
                    """
                    \(limit("lock_timeout", 10)); \(limit("idle_in_transaction_session_timeout", 5));
                    SET gin_pending_list_limit = '256kB'
                    """)
                try PostgresSchema.use(connection)
                return connection
            })
        listener = PostgresListener {
            // This connection returns soon after an outage, even on a server that does not write.
            let connection = try connect(true, "LISTEN feed; \(limit("lock_timeout", 10))")
            try PostgresSchema.use(connection)
            return connection
        }
        leader = PostgresLeader { try connect(true, limit("statement_timeout", 10)) }
        openImportLock = { try connect(true, "") }
        openSession = {
            try connect(true, "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.run { connection in
            try connection.read { try body(Database(connection: connection)) }
        }
    }

    func write(_ body: @escaping @Sendable (any WriterConnection) -> Void) {
        writing.async { [self] in writer.withLock { body($0) } }
    }

    /// Does nothing, because the server rejects writes that it cannot store.
    func requireWritable() throws {}

    func failed(_ error: any Error) -> any Error { PostgresError.translate(error) }

    func isDiskFull(_ error: any Error) -> Bool { false }

    func releaseReserve() -> Bool { false }

    func keepReserve() {}

    func requireReserve() {}

    func isLeader() async -> Bool { await leader.isHeld() }

    func stamp() -> ChangeStamp { ChangeStamp(listener.count()) }

    func snapshot() throws -> any DatabaseSnapshotting { try PostgresSnapshot(openSession) }

    func bytes() async throws -> Int64 {
        try await read { try $0.fetchOne("SELECT pg_database_size(current_database())", as: Int64.self) ?? 0 }
    }

    func vacuum() throws {
        let connection = try openSession()
        for table in FeedDatabase.tables.map(\.name) + ["status_search"] {
            try connection.executeScript("VACUUM (ANALYZE) \(table)")
        }
    }

    func lockImports() throws -> any ImportLocking { try PostgresImportLock(openImportLock) }

    func close() throws {
        writing.sync { writer.withLock { $0.close() } }
        readers.close()
        listener.close()
        leader.close()
    }
}

/// Listens for the notification of every commit, by any server.
private final class PostgresListener: Sendable {
    private let connect: @Sendable () throws -> PostgresConnection
    private let connection = Mutex<PostgresConnection?>(nil)
    private let queue = DispatchQueue(label: "postgres-notifications")
    private let received = Atomic<Int64>(0)
    private let isConnecting = Atomic(false)
    private let lastFailure = Mutex(Date.distantPast)

    init(connect: @escaping @Sendable () throws -> PostgresConnection) { self.connect = connect }

    /// A counter that increases with every notification, and when the connection is lost, because a notification may have
    /// been missed. Never blocks.
    func count() -> Int64 {
        let isConnected =
            connection.withLockIfAvailable { connection in
                receive(&connection)
                return connection != nil
            } ?? true
        if !isConnected, !isConnecting.exchange(true, ordering: .acquiringAndReleasing) {
            queue.async { [self] in
                reconnect()
                isConnecting.store(false, ordering: .releasing)
            }
        }
        return received.load(ordering: .acquiring)
    }

    /// Reads the notifications that have arrived.
    private func receive(_ connection: inout PostgresConnection?) {
        guard let current = connection else { return }
        do {
            if try current.takeNotifications() > 0 { received.add(1, ordering: .acquiringAndReleasing) }
        } catch {
            received.add(1, ordering: .acquiringAndReleasing)
            connection = nil
        }
    }

    private func reconnect() {
        guard lastFailure.withLock({ $0 }) < Date(timeIntervalSinceNow: -1) else { return }
        let isConnected = connection.withLock { connection in
            connection = try? connect()
            return connection != nil
        }
        guard isConnected else { return lastFailure.withLock { $0 = Date() } }
        received.add(1, ordering: .acquiringAndReleasing)
    }

    func close() { queue.sync { connection.withLock { $0 = nil } } }
}

/// An advisory lock that is held by a session and released when the session ends.
private final class PostgresImportLock: ImportLocking {
    private static let key = PostgresWriter.lockKey + 1

    private let connection: Mutex<PostgresConnection?>

    init(_ connect: () throws -> PostgresConnection) throws {
        do {
            let own = try connect()
            let rows = try own.run("SELECT pg_try_advisory_lock(\(Self.key))", [], isReused: false)
            guard try rows.first.map({ try $0[0] as Bool }) == true else {
                throw FeedError(
                    .conflict, "an import or a check is running on this database", hint: "Wait until it has finished.")
            }
            connection = Mutex(own)
        } catch let error as PostgresError {
            throw PostgresError.translate(error)
        }
    }

    deinit { release() }

    func release() {
        connection.withLock { own in
            // Otherwise, the lock would remain until PostgreSQL notices that the connection has ended.
            _ = try? own?.run("SELECT pg_advisory_unlock(\(Self.key))", [], isReused: false)
            own = nil
        }
    }
}
