import FeedCore
import Foundation
import Synchronization

/// A pool of connections. Each has its own dispatch queue, because the calls of libpq block.
final class PostgresPool: Sendable {
    private final class Member: Sendable {
        let queue: DispatchQueue
        let connection = Mutex<PostgresConnection?>(nil)
        let lastFailure = Mutex<(error: PostgresError, at: Date)?>(nil)
        let waiting = Atomic(0)

        init(_ number: Int) { queue = DispatchQueue(label: "postgres-\(number)") }
    }

    private let members: [Member]
    private let connect: @Sendable () throws -> PostgresConnection

    init(count: Int, connect: @escaping @Sendable () throws -> PostgresConnection) {
        members = (0..<count).map(Member.init)
        self.connect = connect
    }

    /// Runs `body` on the least busy connection. If the connection is lost, `body` runs once more on a new one.
    func run<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws -> Value {
        let member = leastBusy()
        member.waiting.add(1, ordering: .relaxed)
        defer { member.waiting.subtract(1, ordering: .relaxed) }
        return try await withCheckedThrowingContinuation { continuation in
            member.queue.async { [self] in continuation.resume(with: Result { try attempt(member, body) }) }
        }
    }

    private func leastBusy() -> Member {
        members.min { $0.waiting.load(ordering: .relaxed) < $1.waiting.load(ordering: .relaxed) } ?? Member(0)
    }

    private func attempt<Value: Sendable>(
        _ member: Member, _ body: @Sendable (PostgresConnection) throws -> Value
    ) throws -> Value {
        try member.connection.withLock { connection in
            let isFresh = connection == nil
            do {
                return try body(open(&connection, member))
            } catch let error as PostgresError where error.isConnectionLoss {
                connection = nil
                guard !isFresh else { throw error }
                return try body(open(&connection, member))
            }
        }
    }

    /// During an outage, waiting readers fail at once instead of trying to connect one after the other.
    private func open(_ connection: inout PostgresConnection?, _ member: Member) throws -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        if let failure = member.lastFailure.withLock({ $0 }), failure.at > Date(timeIntervalSinceNow: -1) {
            throw failure.error
        }
        do {
            let fresh = try connect()
            connection = fresh
            return fresh
        } catch let error as PostgresError {
            member.lastFailure.withLock { $0 = (error, Date()) }
            throw error
        }
    }

    func close() {
        for member in members { member.queue.sync { member.connection.withLock { $0 = nil } } }
    }
}

/// A transaction on a connection of its own, in which all queries see the same state.
final class PostgresSnapshot: DatabaseSnapshotting {
    private let connection: Mutex<PostgresConnection?>
    /// The calls of libpq block.
    private let queue = DispatchQueue(label: "postgres-snapshot")

    init(_ connect: () throws -> PostgresConnection) throws {
        let own = try connect()
        try own.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // The first query takes the snapshot.
        try own.executeScript("SELECT count(*) FROM meta")
        connection = Mutex(own)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try run(body) }) }
        }
    }

    private func run<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        do {
            return try connection.withLock { connection in
                guard let connection else { throw PostgresError(state: nil, message: "the snapshot is closed") }
                return try body(Database(connection: connection))
            }
        } catch {
            throw PostgresError.translate(error)
        }
    }

    func close() { queue.sync { connection.withLock { $0 = nil } } }
}
