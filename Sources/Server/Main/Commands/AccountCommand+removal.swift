import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal

extension AccountCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an account with everything that belongs to it.",
            discussion: """
                Hides the account at once and on every server, then deletes its statuses, files, follows, favourites, \
                notifications and logins. This cannot be undone. The name stays taken, so that nobody else gets it.

                An interrupted removal is completed by the running server, or when the command is repeated.
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String
        @Flag(help: "Do not ask for confirmation; required without a terminal.") var yes = false

        func validate() throws {
            guard yes || Confirmation.isPossible else {
                throw ValidationError(
                    "Removing an account cannot be undone. Without a terminal to confirm it, --yes is required.")
            }
        }

        func run() async throws {
            try await Failure.reported {
                try await data.use { database in
                    let account = try await database.account(name, includingRemoved: true)
                    let removal = AccountRemoval(database, pause: .seconds(1))
                    if account.removedAt == nil {
                        try confirm(account)
                        try await ModerationStore(database).perform(.remove, on: account.id)
                    } else if try await !removal.isPending(account.id) {
                        return StandardError.line("\(account.username) has already been removed")
                    }
                    try await complete(removal, of: account)
                }
            }
        }

        private func confirm(_ account: Account) throws {
            guard !yes else { return }
            let statuses = Plural.text(account.statusesCount, "status", "statuses")
            let question = "Remove \(account.username) with \(statuses)? This cannot be undone."
            guard Confirmation.ask(question) else { throw FeedError(.conflict, "nothing has been removed") }
        }

        private func complete(_ removal: AccountRemoval, of account: Account) async throws {
            let total = try await removal.remaining(account.id)
            let line = ProgressLine(
                ProgressBar(label: "removing \(account.username)", total: Int64(total), unit: .items),
                screen: .current())
            defer { line.clear() }
            guard try await removal.complete(account.id, progress: { line.show(done: Int64($0)) }) else {
                throw FeedError(
                    .conflict, "an import is running, which may still add to \(account.username)",
                    hint: "Everything else has been deleted. Repeat the command after the import, "
                        + "unless the server is running, which then completes the removal.")
            }
            line.clear()
            StandardError.line("removed \(account.username)")
        }
    }
}
