import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Deletes a status of the account.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one of your statuses.",
        discussion: """
              feedclient delete 112233445566778899
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The id or URL of the status.") var id: String

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let id = try global.statusID(id)
            let deleted = try await global.use { try await $0.delete(id) }
            print("deleted \(SafeText.line(deleted.status.id))")
        }
    }
}
