public import Foundation

/// The terminal in which the program runs, if any.
public struct TerminalCapabilities: Sendable {
    /// Whether standard output or standard error is a terminal.
    public let isOutput, isError: Bool
    /// The width of the terminal in columns; 80 if there is no terminal.
    public let columns: Int
    /// The height of the terminal in rows; 24 if there is no terminal.
    public let rows: Int
    /// Whether to use colors on standard output.
    public let hasColor: Bool
    /// Whether the locale permits only ASCII.
    public let isASCII: Bool
    /// Whether text on standard output can be a link.
    public let hasHyperlinks: Bool

    public init(
        isOutput: Bool, isError: Bool, columns: Int, rows: Int = standardRows, hasColor: Bool, isASCII: Bool = false,
        hasHyperlinks: Bool = false
    ) {
        self.isOutput = isOutput
        self.isError = isError
        self.columns = columns
        self.rows = rows
        self.hasColor = hasColor
        self.isASCII = isASCII
        self.hasHyperlinks = hasHyperlinks
    }

    /// The width at which text is wrapped: the width of the terminal. `Int.max` for files and pipes, which get whole lines.
    public var wrapColumns: Int { isOutput ? columns : .max }

    /// The height of a terminal that does not state it.
    public static let standardRows = 24

    /// Inspects the file descriptors and `COLUMNS`, `LINES`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`, the names
    /// of the terminal and the locale.
    public static func current(environment: [String: String] = ProcessInfo.processInfo.environment)
        -> TerminalCapabilities
    {
        let isOutput = isatty(STDOUT_FILENO) == 1
        let hasColor = usesColor(environment, isTerminal: isOutput)
        return TerminalCapabilities(
            isOutput: isOutput, isError: isatty(STDERR_FILENO) == 1, columns: columns(environment),
            rows: rows(environment), hasColor: hasColor, isASCII: usesASCII(environment),
            hasHyperlinks: isOutput && hasColor && Hyperlink.isSupported(environment))
    }

    /// Whether the locale names an encoding other than UTF-8. Without any locale, as in many containers and services,
    /// UTF-8 is assumed.
    static func usesASCII(_ environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return false }
        if locale == "c" || locale == "posix" { return true }
        guard let encoding = locale.split(separator: ".").dropFirst().first else { return false }
        return !encoding.replacing("-", with: "").hasPrefix("utf8")
    }

    /// Whether the terminal shows 24-bit colors, as it says in `COLORTERM`.
    public static func hasTrueColor(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased())
    }

    static func usesColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }

    private static func columns(_ environment: [String: String]) -> Int {
        if let text = environment["COLUMNS"], let columns = Int(text), columns >= 20 { return min(columns, 1000) }
        return windowSize { $0.ws_col >= 20 }.map { Int($0.ws_col) } ?? 80
    }

    private static func rows(_ environment: [String: String]) -> Int {
        if let text = environment["LINES"], let rows = Int(text), rows >= 2 { return min(rows, 1000) }
        return windowSize { $0.ws_row >= 2 }.map { Int($0.ws_row) } ?? standardRows
    }

    /// The size that the terminal of one of the descriptors states, if it is plausible.
    static func windowSize(
        of descriptors: [CInt] = [STDOUT_FILENO, STDERR_FILENO], _ isPlausible: (winsize) -> Bool
    ) -> winsize? {
        for descriptor in descriptors {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, isPlausible(size) { return size }
        }
        return nil
    }
}

/// Tells the terminals of a machine apart.
package enum TerminalIdentity {
    /// The terminal of standard output, error or input, such as `dev-pts-3-4711`: its device and the session, because
    /// another terminal may get the same device later.
    /// - Returns: `nil` if none of them is a terminal.
    package static var current: String? {
        [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO].lazy.compactMap(device).first
            .map { name(device: $0, session: getsid(0)) }
    }

    /// The name for a device, with letters, digits and dashes only.
    static func name(device: String, session: pid_t) -> String {
        let words = device.utf8.split { byte in
            !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return (words.map { String(Substring($0)) } + [String(session)]).joined(separator: "-")
    }

    private static func device(_ descriptor: CInt) -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
