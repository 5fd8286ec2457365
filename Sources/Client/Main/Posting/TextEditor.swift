import FeedClientKit
import FeedTerminal
import Foundation

/// Lets the user write a text in the editor that `VISUAL` or `EDITOR` names, or otherwise in `editor` or `vi`.
struct TextEditor {
    /// The largest text that is read back, in bytes.
    private static let maximumSize = 1 << 20

    /// The command that starts the editor, in shell syntax.
    let command: String

    /// - Returns: `nil` if there is no editor, or the variables are set to nothing.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let commands = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
        // `editor` is what the user has chosen on Debian; POSIX has `vi`.
        let standard =
            commands.isEmpty ? InstalledProgram.first(of: ["editor", "vi"], path: environment["PATH"] ?? "") : nil
        guard let command = commands.first(where: { $0.contains { !$0.isWhitespace } }) ?? standard else { return nil }
        self.command = command
    }

    /// Opens the editor and waits until it is closed.
    /// - Parameters:
    ///   - text: The text to begin with.
    ///   - folder: The folder for the file that is edited; it is created, closed to others.
    /// - Throws: ``FeedClientError`` `.failed` if the editor reports a failure, `.disk` if the file cannot be written.
    func edit(_ text: String, in folder: String) throws -> String {
        try ClientFolders.create(folder)
        let path = folder + "/text-" + UUID().uuidString + ".txt"
        try Self.create(path, text)
        defer { unlink(path) }
        guard system(Self.line(command, path, isOutput: isatty(STDOUT_FILENO) == 1)) == 0 else {
            throw FeedClientError(.failed, "The editor failed: \(command)", hint: "Check VISUAL and EDITOR.")
        }
        return try Self.read(path)
    }

    /// The line for the shell. Output to a file or pipe must not receive what the editor draws.
    static func line(_ command: String, _ path: String, isOutput: Bool) -> String {
        command + " " + ShellWord.quoted(path) + (isOutput ? "" : " >&2")
    }

    /// Creates a file that only the owner can access.
    private static func create(_ path: String, _ text: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        do {
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: Data(text.utf8))
        } catch {
            if descriptor >= 0 { unlink(path) }
            throw FeedClientError(
                .disk, "Cannot write \(path)", hint: "Free some space, or check who owns the folder.", cause: error)
        }
    }

    private static func read(_ path: String) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw FeedClientError(.failed, "The editor has removed its file")
        }
        let data = try file.read(upToCount: maximumSize + 1) ?? Data()
        guard data.count <= maximumSize else {
            throw FeedClientError(.failed, "The text is longer than \(maximumSize) bytes")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw FeedClientError(.failed, "The text is not valid UTF-8", hint: "Save it as UTF-8.")
        }
        return text
    }
}

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

    /// The text without the line breaks at its end.
    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
