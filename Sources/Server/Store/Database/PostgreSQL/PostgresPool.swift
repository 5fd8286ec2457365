import FeedCore
import Foundation
import Synchronization

/// A pool of connections. Each has its own dispatch queue, because the calls of libpq block.
final class PostgresPool: Sendable {
    private final class Member: Sendable {
        let queue: DispatchQueue
        let connection = Mutex<PostgresConnection?>(nil)
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
                return try body(Self.open(&connection, connect))
            } catch let error as PostgresError where error.isConnectionLoss {
                connection = nil
                guard !isFresh else { throw error }
                return try body(Self.open(&connection, connect))
            }
        }
    }

    private static func open(
        _ connection: inout PostgresConnection?, _ connect: () throws -> PostgresConnection
    ) throws -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        let fresh = try connect()
        connection = fresh
        return fresh
    }

    func close() {
        for member in members { member.queue.sync { member.connection.withLock { $0 = nil } } }
    }
}
