import FeedWeb
import Foundation
import Logging
import Synchronization

/// Formats and writes log lines on a dedicated thread, because a pipe without a reader must not block an event loop.
final class LogOutput: Sendable {
    static let shared = LogOutput()

    /// How long the line of a request may wait for further ones.
    private static let delay = DispatchTimeInterval.milliseconds(50)

    private let buffer = Mutex(LogBuffer())
    private let queue = DispatchQueue(label: "log")
    /// Used only on ``queue``.
    private let writer = Mutex(LogWriter(descriptor: STDERR_FILENO))
    /// The number of pieces written so far.
    private let progress = Atomic(0)

    /// The number of lines that have been dropped because standard error did not accept them.
    var dropped: Int { buffer.withLock { $0.totalDropped } }

    func add(_ line: LogLine) {
        switch buffer.withLock({ $0.add(line) }) {
        case .none: break
        case .writeSoon: queue.asyncAfter(deadline: .now() + Self.delay) { [self] in _ = writeBatch() }
        case .writeNow: queue.async { [self] in _ = writeBatch() }
        }
    }

    /// Waits until all lines have been written, but at most some seconds, and fewer if nothing can be written.
    func flush(atMost seconds: Int, idle idleSeconds: Int) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { [self] in
            while writeBatch() {}
            isDone.signal()
        }
        var (last, idle) = (progress.load(ordering: .relaxed), 0)
        for _ in 0..<seconds where idle < idleSeconds {
            if isDone.wait(timeout: .now() + 1) == .success { return }
            let current = progress.load(ordering: .relaxed)
            (last, idle) = (current, current == last ? idle + 1 : 0)
        }
    }

    /// - Returns: Whether there was anything to write.
    private func writeBatch() -> Bool {
        guard let batch = buffer.withLock({ $0.take() }) else { return false }
        let isWritten = writer.withLock { writer in
            writer.write(batch.lines) { progress.add(1, ordering: .relaxed) }
        }
        guard isWritten else {
            buffer.withLock { $0.fail(batch) }
            return true
        }
        if batch.dropped > 0 {
            Logger(label: "feedserver").warning("log lines were dropped", metadata: ["count": "\(batch.dropped)"])
        }
        return true
    }
}
