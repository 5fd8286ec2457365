import Synchronization

#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#endif

/// Shows long text in a pager.
public enum Pager {
    private static let standard = "less -R"

    /// The command of the pager: `PAGER`, or `less -R`.
    /// - Returns: `nil` if `PAGER` is empty, or if the terminal cannot position its cursor.
    public static func command(environment: [String: String]) -> String? {
        let command = environment["PAGER"] ?? standard
        guard command.contains(where: { !$0.isWhitespace }), environment["TERM"] != "dumb" else { return nil }
        return command
    }

    /// Whether lines do not fit on the terminal, together with the prompt that follows them.
    /// - Parameter lines: The widths of the lines in columns.
    public static func isNeeded(_ lines: [Int], screen: TerminalCapabilities) -> Bool {
        guard screen.isOutput else { return false }
        let columns = max(1, screen.columns)
        return lines.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) } >= screen.rows
    }
}

/// The pipe of the running pager.
private let openPipe = Atomic<CInt>(-1)

/// Ends the program if the user has quit the pager, while the program still looks for more text. Called for signals.
private func endUnlessPagerIsRunning(_ number: CInt) {
    var state = pollfd(fd: openPipe.load(ordering: .relaxed), events: Int16(POLLOUT), revents: 0)
    guard poll(&state, 1, 0) == 1, state.revents & Int16(POLLERR) != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
}

/// A pager that receives its text in portions. While it runs, it alone handles Ctrl-C.
public final class RunningPager {
    #if canImport(Musl)
        private let pipe: OpaquePointer
    #else
        private let pipe: UnsafeMutablePointer<FILE>
    #endif
    /// The handlers of signals to restore; `nil` is the default.
    private let handlers: [(number: CInt, handler: (@convention(c) (CInt) -> Void)?)]

    /// Runs a command in a shell.
    /// - Returns: `nil` if there is no shell.
    public init?(command: String) {
        fflush(stdout)
        guard let pipe = popen(command, "w") else { return nil }
        self.pipe = pipe
        // Only now, because the pager would inherit this. A pager that is quit early closes the pipe.
        openPipe.store(fileno(pipe), ordering: .relaxed)
        handlers = [(SIGPIPE, signal(SIGPIPE, SIG_IGN)), (SIGINT, signal(SIGINT, endUnlessPagerIsRunning))]
        StandardError.hold()
    }

    /// Gives the pager more text. Waits until the user scrolls if the pager reads no further.
    /// - Returns: Whether the pager has not ended.
    @discardableResult public func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return fwrite(bytes, 1, bytes.count, pipe) == bytes.count && fflush(pipe) == 0
    }

    /// Waits until the user quits the pager. Must be called once.
    /// - Returns: Whether the shell found the command.
    public func end() -> Bool {
        let status = pclose(pipe)
        for (number, handler) in handlers { signal(number, handler) }
        StandardError.release()
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 0
        // A shell that cannot run a command says so with 126 or 127.
        return code != 126 && code != 127
    }
}
