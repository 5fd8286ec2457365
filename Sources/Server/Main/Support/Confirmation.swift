import FeedTerminal
import Foundation

/// Asks for confirmation on the terminal.
enum Confirmation {
    /// Whether standard input is a terminal.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Returns: Whether the answer was yes; no at the end of the input.
    static func ask(_ question: String) -> Bool {
        StandardError.write(SafeText.line(question) + " [y/N] ")
        let answer = readLine(strippingNewline: true) ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }
}
