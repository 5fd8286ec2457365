import FeedClientKit
import FeedTerminal
import Foundation

/// Reads texts from standard input.
enum TextPrompt {
    /// The largest text that is read, in bytes.
    private static let maximumSize = 1 << 20

    /// Standard input to its end, without the line breaks there.
    /// - Throws: ``FeedClientError`` `.failed` if it is not UTF-8.
    static func piped() throws -> String {
        let data = try FileHandle.standardInput.read(upToCount: maximumSize) ?? Data()
        guard let text = String(data: data, encoding: .utf8) else {
            throw FeedClientError(.failed, "Standard input is not valid UTF-8", hint: "Convert the text to UTF-8.")
        }
        return trimmed(text)
    }

    /// Asks for lines on the terminal, up to Ctrl-D or a line that consists of a dot.
    static func lines(_ prompt: String) -> String {
        StandardError.line(prompt + " (end with Ctrl-D, or with a dot on a line of its own)")
        var (text, size) = ("", 0)
        while size <= maximumSize, let line = readLine(strippingNewline: true), line != "." {
            text += line + "\n"
            size += line.utf8.count + 1
        }
        return trimmed(text)
    }

    /// Asks a question on the terminal until it is answered with one of these letters, or the word that begins with it.
    /// - Returns: The letter; `nil` at the end of the input.
    static func choice(_ question: String, of letters: [Character]) -> Character? {
        while true {
            StandardError.write(question + " [\(letters.map(String.init).joined(separator: "/"))] ")
            guard let line = readLine() else { return nil }
            let letter = line.trimmingCharacters(in: .whitespaces).lowercased().first
            if let letter, letters.contains(letter) { return letter }
        }
    }

    /// Without the line breaks at its end.
    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
