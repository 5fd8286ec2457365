import ArgumentParser
import FeedTerminal
import Foundation

/// What was printed must have arrived: a full disk is no success.
enum OutputEnd {
    /// Before anything is asked of a server.
    static func check() throws {
        guard StandardOutput.isOpen else {
            StandardError.report("Standard output is closed", hint: "Send it to /dev/null if nobody wants it.")
            throw ExitCode(8)
        }
    }

    static func flush() throws {
        switch StandardOutput.flush() {
        case nil: break
        case .readerGone: endAsByBrokenPipe()
        case .unwritable:
            StandardError.report("Standard output cannot be written", hint: "Is the disk full?")
            throw ExitCode(8)
        }
    }

    /// As the programs one pipes with end: by the signal, so that a shell sees 141 and a person nothing.
    private static func endAsByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        // The signal is blocked here.
        _exit(128 + SIGPIPE)
    }
}
