import FeedCore
import Foundation
import Synchronization

/// The advisory lock of the server that performs the maintenance. The lock is released when its session ends, so that
/// another server takes over if this one crashes or loses its connection.
final class PostgresLeader: Sendable {
    private struct State {
        var connection: PostgresConnection?
        var isHeld = false
    }

    private static let key = PostgresWriter.lockKey + 3

    private let connect: @Sendable () throws -> PostgresConnection
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "postgres-leader")

    init(connect: @escaping @Sendable () throws -> PostgresConnection) { self.connect = connect }

    /// Whether this server holds the lock; acquires the lock if it is free.
    func isHeld() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    returning: state.withLock { state in
                        update(&state)
                        return state.isHeld
                    })
            }
        }
    }

    private func update(_ state: inout State) {
        do {
            let connection = try state.connection ?? connect()
            state.connection = connection
            let query = state.isHeld ? "SELECT true" : "SELECT pg_try_advisory_lock(\(Self.key))"
            state.isHeld = try connection.run(query, [], isReused: false).first.map { try $0[0] as Bool } ?? false
        } catch {
            state = State()
        }
    }

    func close() { queue.sync { state.withLock { $0 = State() } } }
}
