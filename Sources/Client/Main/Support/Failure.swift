import ArgumentParser
import FeedClientKit
import FeedTerminal

/// The one place where an error becomes text and an exit code.
enum Failure {
    /// Runs a command's work; an error is printed and ends the program with its code.
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
