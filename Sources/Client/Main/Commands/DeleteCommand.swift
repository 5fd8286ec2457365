import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Deletes a status of the account.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one of your statuses.",
        discussion: """
            If the status is named by its number in a listing, its text is shown first, and you are asked. While the \
            server is away, this waits in the outbox.

              feedclient delete 3
              feedclient delete 112233445566778899
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let status = try await global.status(id)
            try await StatusConfirmation.ask("Delete this status?", status, global)
            let sent = try await OutboxSubmission(global: global).perform(OutboxPost(.delete(id: status.id)))
            print(ActionResultRenderer.text(sent))
        }
    }
}
