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
