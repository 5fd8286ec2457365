#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#endif

/// Checks whether standard output was written.
public enum StandardOutput {
    /// The reason why standard output was not written.
    public enum Failure: Sendable, Equatable {
        /// The reader of a pipe has closed it, as `head` does.
        case brokenPipe
        /// Writing failed, for example because the disk is full.
        case unwritable
    }

    /// Whether the process has a standard output. Must be checked before any file is opened, which would get its
    /// descriptor.
    public static var isOpen: Bool { fcntl(STDOUT_FILENO, F_GETFD) >= 0 }

    /// Writes all buffered output.
    /// - Returns: The reason why this or an earlier write failed; `nil` if everything was written.
    public static func flush() -> Failure? {
        if fflush(stdout) == 0, ferror(stdout) == 0 { return nil }
        // An earlier error may have left no `errno`, but the state of the pipe is still known.
        return isBroken ? .brokenPipe : .unwritable
    }

    /// Whether the reader of a pipe has closed it.
    public static var isBroken: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0
    }
}
