import Foundation

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
