import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Numbers the statuses of a listing on a terminal, from 1, and remembers them for the commands that follow.
final class StatusNumbers: Sendable {
    private struct Numbers {
        var items: [ShownStatuses.Item] = []
        var numbers: [String: Int] = [:]
    }

    /// The columns of the author and the first words.
    private static let maximumWidth = 40

    private let terminal: String
    private let server: String
    private let username: String?
    private let state = Mutex(Numbers())

    /// - Parameter terminal: The name of the terminal (``TerminalIdentity``).
    init(terminal: String, server: String, username: String?) {
        (self.terminal, self.server, self.username) = (terminal, server, username)
    }

    /// - Returns: `nil` unless the listing is shown on a terminal.
    static func onScreen(_ global: GlobalOptions) -> StatusNumbers? {
        guard TerminalCapabilities.current().isOutput, let terminal = TerminalIdentity.current,
            let session = try? global.session()
        else { return nil }
        return StatusNumbers(
            terminal: terminal, server: session.address.description, username: session.login?.username)
    }

    /// The number of a status: the next one, or the one that it already has.
    func number(of status: Entity.Status) -> Int {
        state.withLock { state in
            if let number = state.numbers[status.id] { return number }
            state.items.append(ShownStatuses.Item(id: status.id, words: Self.words(of: status)))
            state.numbers[status.id] = state.items.count
            return state.items.count
        }
    }

    /// Remembers the listing, in place of the last one. An empty listing is not remembered. A failure is reported.
    func save() {
        let items = state.withLock { $0.items }
        guard !items.isEmpty else { return }
        do throws(FeedClientError) {
            try GlobalOptions.listings.save(
                ShownStatuses(server: server, username: username, items: items), on: terminal)
        } catch {
            StandardError.line("warning: the numbers could not be stored: " + SafeText.line("\(error)"))
        }
    }

    /// The author and the first words, or those of the content warning.
    private static func words(of status: Entity.Status) -> String {
        let text = status.spoiler_text.isEmpty ? PlainText.from(html: status.content) : "⚠ " + status.spoiler_text
        return TextWidth.truncated(SafeText.line("@\(status.account.acct) \(text)"), to: maximumWidth)
    }
}

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
