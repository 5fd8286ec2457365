import Foundation

/// Asks for a secret on the terminal without showing what is typed.
public enum HiddenPrompt {
    /// Whether there is a terminal to ask on.
    public static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Returns: The line without its end; empty at the end of input.
    public static func read(_ words: String) -> String {
        StandardError.write(words)
        var shown = termios()
        tcgetattr(STDIN_FILENO, &shown)
        var hidden = shown
        // Ctrl-C must not leave the terminal without echo, so it is read like any character.
        hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            StandardError.write("\n")
        }
        let line = readLine(strippingNewline: true) ?? ""
        guard !line.utf8.contains(3) else {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            StandardError.write("\n")
            exit(130)
        }
        return line
    }
}
