import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal

/// `feedserver status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Remove statuses.", subcommands: [Remove.self])

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a status.",
            discussion: "Removes the status with its favourites, bookmarks and boosts. This cannot be undone.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The id of the status, the last part of its address.") var id: String

        func run() async throws {
            try await Failure.reported {
                guard let number = Int64(id) else { throw unknown }
                guard let status = try await data.use({ try await StatusStore($0).remove(id: number) }) else {
                    throw unknown
                }
                let author = status.boost?.account ?? status.account
                StandardError.line("removed a \(status.boost == nil ? "status" : "boost") by \(author.username)")
            }
        }

        private var unknown: FeedError {
            FeedError(
                .notFound, "no such status: \(SafeText.line(id))",
                hint: "The id is the last part of the status's address.")
        }
    }
}
