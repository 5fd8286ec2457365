import Foundation
import Synchronization

/// Writes to standard error.
public enum StandardError {
    /// Writes text. Errors are ignored, because a full disk or a closed pipe must not end the program.
    public static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Lines that are held back; `nil` if they are written at once.
    private static let held = Mutex<[String]?>(nil)

    public static func line(_ text: String) {
        let isHeld = held.withLock { held in
            held?.append(text)
            return held != nil
        }
        if !isHeld { write(text + "\n") }
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
}
