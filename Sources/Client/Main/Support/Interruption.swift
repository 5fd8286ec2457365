import FeedTerminal
import Foundation

/// Ctrl-C: the first cancels what is running, so that it can save its state; the second ends at once.
enum Interruption {
    static func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        let task = Task { try await body() }
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            if task.isCancelled { exit(130) }
            StandardError.line("\ninterrupted; run the same command again to go on")
            task.cancel()
        }
        source.resume()
        defer { source.cancel() }
        return try await task.value
    }
}
