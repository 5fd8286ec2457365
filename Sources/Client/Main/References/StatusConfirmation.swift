import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Asks before a command changes a status that the user has named by its number, which is easily mistaken.
enum StatusConfirmation {
    /// Shows the text of the status and asks; does nothing for a status that was named by its id or address.
    /// - Throws: ``FeedClientError`` `.usage` if nobody can answer, `.failed` if the answer is no.
    static func ask(_ question: String, _ status: ReferencedStatus, _ global: GlobalOptions) async throws {
        guard status.isNumber else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw FeedClientError(
                .usage, "Standard input is not a terminal, so nobody can confirm a number",
                hint: "Enter the id instead: \(status.id).")
        }
        let entry: TimelineEntry
        do { entry = try await global.use { try await $0.status(status.id) } } catch let error as FeedClientError {
            entry = try await global.storedStatus(status.id, insteadOf: error)
        }
        let screen = TerminalCapabilities.current()
        var renderer = StatusRenderer(
            columns: screen.columns, style: TextStyle(hasColor: false, isASCII: screen.isASCII), now: Milliseconds.now)
        renderer.revealsSensitive = true
        for line in renderer.lines(entry.status).dropLast() { StandardError.line(line) }
        guard TextPrompt.choice(question, of: ["y", "n"]) == "y" else {
            throw FeedClientError(.failed, "Nothing was changed")
        }
    }
}

/// The help for arguments that name a status.
enum StatusHelp {
    static let text = ArgumentHelp(
        "The status: its number in the last listing on this terminal, its id or the end of it, or its URL.",
        valueName: "ref")
}
