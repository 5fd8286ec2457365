import Synchronization

/// Whether a server can be reached, as far as the last request tells.
public enum ConnectionState: Sendable, Equatable {
    case online, offline
}

/// Observes the requests of a client, without sending any. Streams connect again at once when another request has reached
/// the server, and ``Outbox/sendWhenOnline(_:with:report:)`` sends what waits.
///
/// ```swift
/// for await state in client.connection.changes { print(state == .online ? "back" : "offline") }
/// ```
public final class ConnectionMonitor: Sendable {
    private struct State {
        var present: ConnectionState?
        var observers: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// The state after the last request; `nil` before the first one.
    public var present: ConnectionState? { state.withLock { $0.present } }

    /// The number of those who wait for changes.
    var observerCount: Int { state.withLock { $0.observers.count } }

    /// The present state, if it is known, and then each other one. A slow reader gets only the latest.
    public var changes: AsyncStream<ConnectionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ConnectionState.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = continuation
            if let present = state.present { continuation.yield(present) }
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
        return stream
    }

    func record(_ new: ConnectionState) {
        state.withLock { state in
            guard state.present != new else { return }
            state.present = new
            for observer in state.observers.values { observer.yield(new) }
        }
    }

    /// Records the outcome of a request. An error that the server has sent means that it can be reached.
    func record(_ error: FeedClientError) {
        if error.status != nil {
            record(.online)
        } else if [.unreachable, .network].contains(error.code) {
            record(.offline)
        }
    }

    /// Waits for some seconds, or until an unreachable server is back.
    /// - Throws: `CancellationError`.
    func wait(_ time: Duration) async throws {
        guard present == .offline else { return try await Task.sleep(for: time) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Task.sleep(for: time) }
            group.addTask { [changes] in
                for await state in changes where state == .online { return }
                try Task.checkCancellation()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
