import FeedTerminal
import Foundation
import Synchronization

/// Writes log lines to standard error on a dedicated thread, because a pipe without a reader must not block an event
/// loop.
final class LogOutput: Sendable {
    static let shared = LogOutput()

    /// The maximum number of buffered bytes. Further lines are dropped and counted.
    private static let limit = 1 << 20

    private struct State {
        var text = ""
        var dropped = 0
        var isDraining = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log")
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void = StandardError.write) { self.write = write }

    func line(_ line: String) {
        let isIdle = state.withLock { state in
            if state.text.utf8.count + line.utf8.count < Self.limit {
                state.text += line + "\n"
            } else {
                state.dropped += 1
            }
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if isIdle { queue.async { [self] in drain() } }
    }

    /// Waits until all lines have been written, but at most one second.
    func flush() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + 1)
    }

    private func drain() {
        while let text = next() { write(text) }
    }

    private func next() -> String? {
        state.withLock { state in
            guard !state.text.isEmpty || state.dropped > 0 else {
                state.isDraining = false
                return nil
            }
            defer { (state.text, state.dropped) = ("", 0) }
            return state.dropped == 0 ? state.text : state.text + "\(state.dropped) log lines were dropped\n"
        }
    }
}
