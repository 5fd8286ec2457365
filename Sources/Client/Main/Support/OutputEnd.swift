import ArgumentParser
import FeedTerminal
import Foundation

/// Makes sure that standard output was written: a command whose output is lost has failed.
enum OutputEnd {
    /// Call this before the command runs.
    static func check() throws {
        guard StandardOutput.isOpen else {
            StandardError.report("Standard output is closed", hint: "To discard the output, redirect it to /dev/null.")
            throw ExitCode(8)
        }
    }

    /// Call this after the command has run.
    static func flush() throws {
        switch StandardOutput.flush() {
        case nil: break
        case .readerGone: endAsByBrokenPipe()
        case .unwritable:
            StandardError.report("Standard output cannot be written", hint: "Is the disk full?")
            throw ExitCode(8)
        }
    }

    /// Ends the program by the signal, without a message, as other programs in a pipeline do.
    private static func endAsByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        // The signal may be blocked on this thread.
        _exit(128 + SIGPIPE)
    }
}
