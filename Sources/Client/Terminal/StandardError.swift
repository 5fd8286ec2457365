import Foundation

/// Writes to standard error.
public enum StandardError {
    /// What cannot be written is let go: a full disk or a closed pipe must not end the program.
    public static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    public static func line(_ text: String) { write(text + "\n") }

    /// Says what went wrong and, if there is one, the next step; both are made safe.
    public static func report(_ message: String, hint: String?) {
        line("error: " + SafeText.line(message))
        if let hint { line("hint: " + SafeText.line(hint)) }
    }
}
