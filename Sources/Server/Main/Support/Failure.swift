import ArgumentParser
import FeedCore
import FeedTerminal

/// The one place where an error becomes text for the operator: what happened, then the next step.
enum Failure {
    /// Runs a command's work; an error is printed and ends the program with code 1.
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
}
