import ArgumentParser
import FeedCore
import FeedTerminal

/// Prints errors and hints for the command line.
enum Failure {
    /// Runs a command; an error is printed and ends the process with exit code 1.
    static func reported(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedError {
            StandardError.report(error.plainMessage, hint: error.hint)
            throw ExitCode(1)
        } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
            throw error
        } catch {
            StandardError.report("\(error)", hint: nil)
            throw ExitCode(1)
        }
    }

    /// Like ``reported(_:)``, for errors that are found while the arguments are validated.
    static func exiting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as FeedError {
            StandardError.report(error.plainMessage, hint: error.hint)
            throw ExitCode(1)
        }
    }
}
