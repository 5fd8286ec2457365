@preconcurrency import Glibc

/// What was printed.
public enum StandardOutput {
    /// Why it did not arrive.
    public enum Failure: Sendable, Equatable {
        /// Nobody reads it any more: `| head` has seen enough.
        case readerGone
        /// A full or a broken disk.
        case unwritable
    }

    /// Whether this process was given a standard output. Ask before anything is opened: the next file would get its number.
    public static var isOpen: Bool { fcntl(STDOUT_FILENO, F_GETFD) >= 0 }

    /// Hands everything to the system.
    /// - Returns: What became of it, also of what was printed before; `nil` when all arrived.
    public static func flush() -> Failure? {
        if fflush(stdout) == 0, ferror(stdout) == 0 { return nil }
        // The error's number may be long gone; the pipe still knows.
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0 ? .readerGone : .unwritable
    }
}
