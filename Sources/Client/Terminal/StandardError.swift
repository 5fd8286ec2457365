import Foundation

/// Writes to standard error.
public enum StandardError {
    /// Writes text. Errors are ignored, because a full disk or a closed pipe must not end the program.
    public static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    public static func line(_ text: String) { write(text + "\n") }

    /// Prints an error message and a hint, filtered by ``SafeText``.
    public static func report(_ message: String, hint: String?) {
        line("error: " + SafeText.line(message))
        if let hint { line("hint: " + SafeText.line(hint)) }
    }
}
