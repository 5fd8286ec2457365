import Foundation

/// Asks for a secret on the terminal without showing what is typed.
public enum HiddenPrompt {
    /// Whether there is a terminal to ask on.
    public static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// Ctrl-C ends the program with 130; the terminal is then as it was.
    /// - Returns: The line without its end; `nil` when the input ended before anything was typed.
    public static func read(_ words: String) -> String? {
        StandardError.write(words)
        var shown = termios()
        tcgetattr(STDIN_FILENO, &shown)
        var hidden = silent(shown)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        var line = SecretLine()
        let end = read(&line)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
        StandardError.write("\n")
        if end == .interrupted { exit(130) }
        return end == .ended ? nil : line.text
    }

    private static func read(_ line: inout SecretLine) -> SecretLine.Step {
        var (step, byte) = (SecretLine.Step.more, UInt8(0))
        while step == .more {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .ended }
            step = line.take(byte)
        }
        return step
    }

    /// Every key is read at once and as a character, Ctrl-C too: a signal would leave the terminal without echo.
    private static func silent(_ terminal: termios) -> termios {
        var terminal = terminal
        terminal.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        withUnsafeMutableBytes(of: &terminal.c_cc) { keys in (keys[Int(VMIN)], keys[Int(VTIME)]) = (1, 0) }
        return terminal
    }
}
