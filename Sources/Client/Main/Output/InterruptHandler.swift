import ArgumentParser
import FeedTerminal
import Foundation

/// Handles Ctrl-C and SIGTERM: the first cancels the work, so that it can save its state; the second ends the program.
enum InterruptHandler {
    /// - Parameter message: Printed after the first signal, if it is not obvious what happens.
    static func cancelling<Value: Sendable>(
        message: String? = "interrupted", _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if task.isCancelled { exit(ExitCode.interrupted.rawValue) }
                if let message { StandardError.line("\n" + message) }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return try await task.value
    }
}
