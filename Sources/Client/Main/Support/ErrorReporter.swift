import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Turns the errors of a command into messages and exit codes.
enum ErrorReporter {
    /// Runs a command, prints its error, and ends the program with the exit code of the error.
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedClientError {
            StandardError.report(error.message, hint: error.hint)
            throw ExitCode(ExitCode.code(for: error))
        } catch is CancellationError {
            throw ExitCode(130)
        } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
            throw error
        } catch {
            StandardError.report("\(error)", hint: nil)
            throw ExitCode(1)
        }
    }
}
