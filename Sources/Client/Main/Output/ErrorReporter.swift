import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Prints the errors of a command, and ends the program with an `ExitCode`.
enum ErrorReporter {
    /// Runs a command, prints its error, and ends the program with the exit code of the error.
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedClientError {
            StandardError.report(error.message, hint: error.hint)
            throw ExitCode(error)
        } catch is CancellationError {
            throw ExitCode.interrupted
        } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
            throw error
        } catch {
            StandardError.report("\(error)", hint: nil)
            throw ExitCode.failure
        }
    }
}

/// Performs the same operation on each item of a command, even after some have failed.
enum EachItem {
    /// - Throws: The error of a single item. If there are several, their errors are reported at once, and the exit code
    ///   is `partlyDone` if some succeeded, otherwise the code of the first error.
    static func run(_ items: [String], _ body: (String) async throws -> Void) async throws {
        var errors: [FeedClientError] = []
        for item in items {
            do {
                try await body(item)
            } catch let error as FeedClientError {
                if items.count > 1 { StandardError.report("\(item): \(error.message)", hint: error.hint) }
                errors.append(error)
            }
        }
        guard let first = errors.first else { return }
        if items.count == 1 { throw first }
        throw errors.count < items.count ? ExitCode.partlyDone : ExitCode(first)
    }
}

/// Checks that standard output has been written, because a command whose output is lost has failed.
enum StandardOutputCheck {
    /// Whether there is a standard output. Must be called before the process opens any file. Reports a closed one.
    static func isOpen() -> Bool {
        guard !StandardOutput.isOpen else { return true }
        StandardError.report("Standard output is closed", hint: "To discard the output, redirect it to /dev/null.")
        return false
    }

    /// Must be called after the command has run.
    static func after() throws {
        switch StandardOutput.flush() {
        case nil: break
        case .brokenPipe: BrokenPipe.end()
        case .unwritable:
            StandardError.report("Standard output cannot be written", hint: "Is the disk full?")
            throw ExitCode.disk
        }
    }
}

/// Ends the program when its output pipe has been closed by the reader.
enum BrokenPipe {
    /// Terminates the program with SIGPIPE, without a message, as is usual for programs in a pipeline.
    static func end() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        // The signal may be blocked on this thread.
        _exit(128 + SIGPIPE)
    }
}
