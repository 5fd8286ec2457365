import Foundation

/// Ends the program when nobody reads its output any more.
enum BrokenPipe {
    /// Ends the program by the signal, without a message, as other programs in a pipeline do.
    static func end() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        // The signal may be blocked on this thread.
        _exit(128 + SIGPIPE)
    }
}
