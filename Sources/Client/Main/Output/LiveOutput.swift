import FeedClientKit
import FeedTerminal
import Foundation

/// Prints entries as they arrive, until Ctrl-C, an error, or the exit of the program that reads the output.
enum LiveOutput {
    /// The interval at which to check, while there is nothing to print, whether the output is still being read.
    private static let checkInterval = Duration.milliseconds(250)

    /// - Parameters:
    ///   - entries: The entries to print.
    ///   - lines: The lines of an entry. They are written at once, so that a pipe gets them without delay.
    /// - Throws: `CancellationError` after Ctrl-C.
    static func print<Entry: Sendable>(
        global: GlobalOptions, _ entries: @escaping @Sendable (FeedClient) async throws -> LiveEntries<Entry>,
        lines: @escaping @Sendable (Entry) async throws -> [String]
    ) async throws {
        try await Interruption.cancelling(message: nil) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watchOutput() }
                group.addTask {
                    try await global.use { client in
                        for try await entry in try await entries(client) { try write(try await lines(entry)) }
                    }
                }
                defer { group.cancelAll() }
                do { _ = try await group.next() } catch {
                    try Task.checkCancellation()
                    throw error
                }
            }
        }
    }

    /// Tells the user about an outage.
    static func report(_ error: FeedClientError?) {
        StandardError.line(SafeText.line(error?.message ?? "The connection was lost") + "; trying again")
    }

    private static func write(_ lines: [String]) throws {
        for line in lines { Swift.print(line) }
        try StandardOutputCheck.after()
    }

    /// Ends the program when the reader of the output has ended, as `head` does.
    private static func watchOutput() async throws {
        while true {
            try await Task.sleep(for: checkInterval)
            if StandardOutput.isBroken { BrokenPipe.end() }
        }
    }
}

/// Handles Ctrl-C and SIGTERM: the first cancels the work, so that it can save its state; the second ends the program.
enum Interruption {
    /// - Parameter message: Printed after the first signal, if it is not obvious what happens.
    static func cancelling<Value: Sendable>(
        message: String? = "interrupted", _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if task.isCancelled { exit(130) }
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
