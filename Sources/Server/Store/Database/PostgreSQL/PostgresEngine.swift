import FeedCore
import Foundation
import Synchronization

/// A PostgreSQL database, which several servers may share.
final class PostgresEngine: DatabaseEngine {
    let isMigrated: Bool
    let isShared = true
    // Small, because other servers wait for the write lock during a transaction.
    let maximumBatch = 60
    private let readers: PostgresPool
    private let writer: Mutex<PostgresWriter>
    private let writing = DispatchQueue(label: "postgres-writer")
    private let notifications: PostgresNotifications
    private let leader: PostgresLeader

    /// Connects, checks the server, and creates the schema if the database is empty.
    /// - Throws: ``FeedError`` with a hint.
    init(_ url: PostgresURL, creating: Bool) throws {
        let pq = try LibPQ.load()
        let dialect = PostgresDialect()
        let connect: @Sendable (String) throws -> PostgresConnection = { settings in
            let connection = try PostgresConnection(pq, url: url.withDefaults, dialect: dialect)
            try connection.execute("SET client_encoding = 'UTF8'; SET client_min_messages = warning; \(settings)")
            return connection
        }
        do {
            let first = try connect("SET lock_timeout = '30s'")
            try PostgresSchema.check(first, url)
            isMigrated = try PostgresSchema.migrate(first, creating: creating)
        } catch let error as PostgresError {
            throw FeedError(
                .unavailable, "cannot use \(url.shown): \(error.message)",
                hint: "Check the address, and that the server is running and accepts this user.", cause: error)
        }
        readers = PostgresPool(count: max(4, ProcessInfo.processInfo.activeProcessorCount * 2)) {
            try connect("SET statement_timeout = '10s'; SET default_transaction_read_only = on")
        }
        writer = Mutex(
            PostgresWriter {
                try connect("SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '30s'")
            })
        notifications = PostgresNotifications { try connect("LISTEN feed") }
        leader = PostgresLeader { try connect("SET statement_timeout = '10s'") }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.run { connection in
            try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ") {
                try body(Database(connection: connection))
            }
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

    func fillReserve() {}

    func isLeader() async -> Bool { await leader.isHeld() }

    func stamp() -> ChangeStamp { ChangeStamp(notifications.count()) }

    func lockImports() throws -> any ImportLocking { try PostgresImportLock(notifications.connect) }

    func close() throws {
        writing.sync { writer.withLock { $0.close() } }
        readers.close()
        notifications.close()
        leader.close()
    }
}

/// Counts the notifications that every server sends with each commit.
final class PostgresNotifications: Sendable {
    private struct State {
        var connection: PostgresConnection?
        var count: Int64 = 0
    }

    let connect: @Sendable () throws -> PostgresConnection
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "postgres-notifications")

    init(connect: @escaping @Sendable () throws -> PostgresConnection) { self.connect = connect }

    /// A number that changes after a notification, and when the connection is lost, since notifications may be missed.
    func count() -> Int64 {
        queue.async { [self] in state.withLock { update(&$0) } }
        return state.withLock { $0.count }
    }

    private func update(_ state: inout State) {
        do {
            let isNew = state.connection == nil
            let connection = try state.connection ?? connect()
            state.connection = connection
            if try connection.takeNotifications() > 0 || isNew { state.count += 1 }
        } catch {
            state.connection = nil
            state.count += 1
        }
    }

    func close() { queue.sync { state.withLock { $0.connection = nil } } }
}

/// An advisory lock that is held by a session and released when the session ends.
final class PostgresImportLock: ImportLocking {
    private static let key = PostgresWriter.lockKey + 1

    private let connection: Mutex<PostgresConnection?>

    init(_ connect: () throws -> PostgresConnection) throws {
        do {
            let own = try connect()
            let rows = try own.run("SELECT pg_try_advisory_lock(\(Self.key))", [], isReused: false)
            guard rows.first.map({ $0[0] as Bool }) == true else {
                throw FeedError(
                    .conflict, "another import is running on this database", hint: "Wait until it has finished.")
            }
            connection = Mutex(own)
        } catch let error as PostgresError {
            throw PostgresError.translate(error)
        }
    }

    func release() { connection.withLock { $0 = nil } }
}
