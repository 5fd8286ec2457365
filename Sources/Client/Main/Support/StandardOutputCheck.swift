import ArgumentParser
import FeedTerminal

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
            throw ExitCode(8)
        }
    }
}
