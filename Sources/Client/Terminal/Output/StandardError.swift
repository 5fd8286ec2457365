import Foundation
import Synchronization

/// Writes to standard error.
public enum StandardError {
    /// Writes text. Errors are ignored, because a full disk or a closed pipe must not end the program.
    public static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Lines that are held back; `nil` if they are written at once.
    private static let held = Mutex<[String]?>(nil)

    /// Writes a line. On a terminal, it is wrapped at spaces, so that no word, address or command is divided.
    public static func line(_ text: String) {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let text = isTerminal ? wrapped(text, columns: TerminalCapabilities.current().columns) : text
        let isHeld = held.withLock { held in
            held?.append(text)
            return held != nil
        }
        if isHeld { return }
        withdraw()
        write(text + "\n")
    }

    /// Whether the line of the cursor holds an announcement.
    private static let isAnnounced = Mutex(false)

    /// Writes a line on a terminal, which whatever is written next replaces. Elsewhere, nothing is written.
    public static func announce(_ text: String) {
        guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else { return }
        isAnnounced.withLock { isAnnounced in
            isAnnounced = true
            write("\r" + TextWidth.truncated(text, to: TerminalCapabilities.current().columns - 1) + eraseToEnd)
        }
    }

    /// Removes the announcement, if any. Must be called before standard output is written.
    public static func withdraw() {
        isAnnounced.withLock { isAnnounced in
            if isAnnounced { write("\r" + eraseToEnd) }
            isAnnounced = false
        }
    }

    /// Erases the rest of the line (EL, ECMA-48).
    private static let eraseToEnd = "\u{1B}[K"

    /// Lines of JSON stay whole.
    static func wrapped(_ text: String, columns: Int) -> String {
        guard text.utf8.first != UInt8(ascii: "{") else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            TextWidth.columns(of: line) <= columns ? [String(line)] : WordWrap.lines(String(line), columns: columns)
        }.joined(separator: "\n")
    }

    /// Holds back lines, because they would be written over another program's screen.
    static func hold() { held.withLock { $0 = $0 ?? [] } }

    /// Writes the lines that were held back.
    static func release() {
        let lines = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for text in lines { write(text + "\n") }
    }

    /// Prints an error message and a hint, filtered by ``SafeText``.
    public static func report(_ message: String, hint: String?) {
        line("error: " + SafeText.line(message))
        if let hint { line("hint: " + SafeText.line(hint)) }
    }

    /// Reports arguments that cannot be parsed.
    /// - Parameter message: The message of ArgumentParser, with the usage.
    public static func usageError(_ message: String) {
        let prefix = "Error: "
        line(message.hasPrefix(prefix) ? "error: " + message.dropFirst(prefix.count) : message)
    }
}
