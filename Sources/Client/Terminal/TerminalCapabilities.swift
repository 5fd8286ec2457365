public import Foundation

/// The terminal in which the program runs, if any.
public struct TerminalCapabilities: Sendable {
    /// Whether standard output or standard error is a terminal.
    public let isOutput, isError: Bool
    /// The width of the terminal in columns; 80 if there is no terminal.
    public let columns: Int
    /// Whether to use colors on standard output.
    public let hasColor: Bool

    public init(isOutput: Bool, isError: Bool, columns: Int, hasColor: Bool) {
        self.isOutput = isOutput
        self.isError = isError
        self.columns = columns
        self.hasColor = hasColor
    }

    /// Inspects the file descriptors and `COLUMNS`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and `TERM`.
    public static func current(environment: [String: String] = ProcessInfo.processInfo.environment)
        -> TerminalCapabilities
    {
        let isOutput = isatty(STDOUT_FILENO) == 1
        return TerminalCapabilities(
            isOutput: isOutput, isError: isatty(STDERR_FILENO) == 1, columns: columns(environment),
            hasColor: usesColor(environment, isTerminal: isOutput))
    }

    static func usesColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }

    private static func columns(_ environment: [String: String]) -> Int {
        if let text = environment["COLUMNS"], let columns = Int(text), columns >= 20 { return min(columns, 1000) }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 { return Int(size.ws_col) }
        }
        return 80
    }
}
