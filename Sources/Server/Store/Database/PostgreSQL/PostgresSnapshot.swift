import Foundation
import Synchronization

/// A transaction on a connection of its own, in which all queries see the same state.
final class PostgresSnapshot: DatabaseSnapshotting {
    private let connection: Mutex<PostgresConnection?>
    /// The calls of libpq block.
    private let queue = DispatchQueue(label: "postgres-snapshot")

    init(_ connect: () throws -> PostgresConnection) throws {
        let own = try connect()
        try own.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // The first query takes the snapshot.
        try own.execute("SELECT count(*) FROM meta")
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
