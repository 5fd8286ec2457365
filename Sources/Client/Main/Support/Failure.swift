import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Turns errors into messages and exit codes.
enum Failure {
    /// Runs a command, prints its error, and ends the program with the exit code of the error.
    static func reported(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedClientError {
            StandardError.report(error.message, hint: error.hint)
            throw ExitCode(code(for: error))
        } catch is CancellationError {
            throw ExitCode(130)
        } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
            throw error
        } catch {
            StandardError.report("\(error)", hint: nil)
            throw ExitCode(1)
        }
    }

    static func code(for error: FeedClientError) -> Int32 {
        switch error.code {
        case .usage: 2
        case .notFound: 3
        case .unauthorized: 4
        case .network, .unreachable: 5
        case .integrity: 7
        case .disk: 8
        case .tryLater: 75
        default: 1
        }
    }
}
