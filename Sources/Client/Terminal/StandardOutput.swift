@preconcurrency import Glibc

/// What was printed.
public enum StandardOutput {
    /// Hands everything to the system.
    /// - Returns: Whether all of it arrived, also what was printed before.
    public static func flush() -> Bool { fflush(stdout) == 0 && ferror(stdout) == 0 }
}
