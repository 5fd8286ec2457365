import Synchronization
import TestKit

/// Holds tasks of a server until the test lets them continue, and counts them.
final class TaskGate: Sendable {
    private struct State {
        var begun = 0
        var ended = 0
        var isOpen = false
    }

    private let state = Mutex(State())

    /// The number of tasks that have come.
    var begun: Int { state.withLock { $0.begun } }
    /// The number of tasks that have called ``end()``.
    var ended: Int { state.withLock { $0.ended } }

    func begin() { state.withLock { $0.begun += 1 } }

    func end() { state.withLock { $0.ended += 1 } }

    /// Lets all tasks continue.
    func open() { state.withLock { $0.isOpen = true } }

    /// Counts the calling task, and holds it.
    func pass() async throws {
        begin()
        try await Wait.until("the gate is open") { state.withLock { $0.isOpen } }
    }

    /// Waits until `count` tasks have come.
    func awaitTasks(_ count: Int) async throws { try await Wait.until("\(count) tasks") { begun >= count } }
}
