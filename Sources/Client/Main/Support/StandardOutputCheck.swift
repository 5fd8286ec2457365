import ArgumentParser
import FeedTerminal

/// Checks that standard output has been written, because a command whose output is lost has failed.
enum StandardOutputCheck {
    /// Must be called before the command runs.
    static func before() throws {
        guard StandardOutput.isOpen else {
            StandardError.report("Standard output is closed", hint: "To discard the output, redirect it to /dev/null.")
            throw ExitCode(8)
        }
    }

    /// Must be called after the command has run.
    static func after() throws {
        switch StandardOutput.flush() {
        case nil: break
        case .brokenPipe: BrokenPipe.end()
        case .unwritable:
            StandardError.report("Standard output cannot be written", hint: "Is the disk full?")
            throw ExitCode(8)
        }
    }
}
